#!lua flags=no-writes
-- A part of a list of games, newest first.
--
-- KEYS   1 games (sorted set; all scores are 0, the members sort by themselves)
-- ARGV   2 the member before which to begin; empty for the newest
--        3 members at most
-- returns 'listed', members

local from = ARGV[2] == '' and '+' or '(' .. ARGV[2]
return answer('listed', redis.call('ZRANGE', KEYS[1], from, '-', 'BYLEX', 'REV', 'LIMIT', 0, ARGV[3]))

#!lua
-- Puts a game into a list, and forgets what is too old to be a game still.
--
-- KEYS   1 games (sorted set)
-- ARGV   2 lifetime of the list, whole seconds
--        3 the member
--        4 the member before which all are forgotten
-- returns 'enlisted', how many are in the list

redis.call('ZADD', KEYS[1], 0, ARGV[3])
redis.call('ZREMRANGEBYLEX', KEYS[1], '-', '(' .. ARGV[4])
redis.call('EXPIRE', KEYS[1], ARGV[2])
return answer('enlisted', redis.call('ZCARD', KEYS[1]))

#!lua flags=no-writes
-- Tells whether anything is kept of a game, and whether its id has a mark.
--
-- KEYS   4 mark (string) of the id
-- returns 'there', how many keys of the game there are, how many marks

local kept = redis.call('EXISTS', KEYS[1], KEYS[2], KEYS[3])
return answer('there', kept, redis.call('EXISTS', KEYS[4]))

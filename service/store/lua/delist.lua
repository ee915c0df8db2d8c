#!lua
-- Takes games out of a list.
--
-- KEYS   1 games (sorted set)
-- ARGV   2, 3, ... members, one or more
-- returns 'delisted', how many are in the list

redis.call('ZREM', KEYS[1], unpack(ARGV, 2))
return answer('delisted', redis.call('ZCARD', KEYS[1]))

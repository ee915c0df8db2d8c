#!lua
-- Keeps a value until a moment (not at all, if that has passed), unless there is one already.
--
-- KEYS   1 mark or reservation (string)
-- ARGV   2 the value, opaque bytes
--        3 the moment, milliseconds since 1970
-- returns 'done'

redis.call('SET', KEYS[1], ARGV[2], 'PXAT', ARGV[3], 'NX')
return answer('done')

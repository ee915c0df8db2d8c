#!lua
-- Keeps a value until a moment, unless that has passed, or there is a value already.
--
-- KEYS   1 mark or reservation (string)
-- ARGV   2 the value, opaque bytes
--        3 the moment, milliseconds since 1970
-- returns 'put' (or something was there) | 'lapsed'

local clock = redis.call('TIME')
if tonumber(ARGV[3]) <= tonumber(clock[1]) * 1000 + math.floor(tonumber(clock[2]) / 1000) then
  return answer('lapsed')
end
redis.call('SET', KEYS[1], ARGV[2], 'PXAT', ARGV[3], 'NX')
return answer('put')

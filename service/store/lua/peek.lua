#!lua flags=no-writes
-- Reads a value that is kept until a moment.
--
-- KEYS   1 mark or reservation (string)
-- returns 'there', the value (opaque bytes), that moment (milliseconds since 1970) | 'missing'

local value = redis.call('GET', KEYS[1])
if not value then
  return answer('missing')
end
return answer('there', value, redis.call('PEXPIRETIME', KEYS[1]))

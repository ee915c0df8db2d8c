#!lua
-- Writes what is there already, so that waiting for replicas waits for all writes before.
--
-- returns 'confirmed' | 'missing' | 'torn'

local found = condition()
if found ~= 'whole' then
  return answer(found)
end
-- Its own lifetime, to the millisecond: nothing changes, but replicas are told.
redis.call('PEXPIREAT', KEYS[1], redis.call('PEXPIRETIME', KEYS[1]))
return answer('confirmed')

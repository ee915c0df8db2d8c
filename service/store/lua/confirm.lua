#!lua
-- Writes what is there already, so that waiting for replicas waits for all writes before.
--
-- returns 'confirmed' | 'missing' | 'torn'

local found = condition()
if found ~= 'whole' then
  return answer(found)
end
confirm()
return answer('confirmed')

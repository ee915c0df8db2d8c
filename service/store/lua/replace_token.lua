#!lua
-- Sets one token of a game. Its keys keep the lifetime that they have.
--
-- ARGV   2 token name, 3 digest
-- returns 'replaced' | 'missing' | 'torn'

local found = condition()
if found ~= 'whole' then
  return answer(found)
end
local left = redis.call('PTTL', KEYS[1])
redis.call('HSET', KEYS[3], ARGV[2], ARGV[3])
if left >= 0 then
  redis.call('PEXPIRE', KEYS[3], math.max(left, 1))
end
return answer('replaced')

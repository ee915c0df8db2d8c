#!lua
-- Sets one token of a game. Its keys keep the lifetime that they have.
--
-- ARGV   2 token name, 3 digest
-- returns 'replaced' | 'missing' | 'torn'

local found = condition()
if found ~= 'whole' then
  return answer(found)
end
redis.call('HSET', KEYS[3], ARGV[2], ARGV[3])
end_together()
return answer('replaced')

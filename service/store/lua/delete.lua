#!lua flags=allow-oom
-- Forgets a game, if it is at the expected ply. (Allowed when memory is full: it frees some.)
--
-- ARGV   2 expected ply, decimal
-- returns 'deleted' | 'stale', ply (decimal) | 'missing' | 'torn'

local found = condition()
if found ~= 'whole' then
  return answer(found)
end
local at = ply()
if at ~= ARGV[2] then
  return answer('stale', at)
end
redis.call('UNLINK', KEYS[1], KEYS[2], KEYS[3])
return answer('deleted')

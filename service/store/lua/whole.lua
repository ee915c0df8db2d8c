#!lua flags=no-writes
-- Reads all that is kept of a game, as it is at one moment.
--
-- ARGV   2 the most milliseconds that the game may have left, decimal; empty for any number
-- returns 'whole', state (opaque bytes), {entry (opaque bytes), ...}, {token name, digest, ...},
--         milliseconds that the game has left, -1 if somebody made it last for ever, by hand
--         | 'spared' (it has more left) | 'missing' | 'torn'

local found = condition()
if found ~= 'whole' then
  return answer(found)
end
local left = redis.call('PTTL', KEYS[1])
if ARGV[2] ~= '' and (left < 0 or left > tonumber(ARGV[2])) then
  return answer('spared')
end
local log = redis.call('LRANGE', KEYS[2], 0, -1)
return answer('whole', redis.call('GET', KEYS[1]), log, redis.call('HGETALL', KEYS[3]), left)

#!lua
-- Keeps a game's next state and the log entries that lead to it, if it is at the expected ply.
--
-- ARGV   2 expected ply, decimal
--        3 lifetime of all keys from now on, whole seconds
--        4 state, opaque bytes
--        5 number of entries, 1 or more
--        6, 7, ... the entries: opaque bytes, of which bytes 2 to 7 are the call id
--        then token name, digest, ...
-- returns 'committed' | 'stale', ply (decimal) | 'missing' | 'torn'
--
-- A call that finds the game moved on by itself (its answer was lost and the client sent it
-- again) is 'committed', whatever came after.

local found = condition()
if found ~= 'whole' then
  return answer(found)
end
local at = ply()
if at ~= ARGV[2] then
  local entry = redis.call('LINDEX', KEYS[2], ARGV[2])
  if entry and string.sub(entry, 2, 7) == ARGV[1] then
    confirm()
    return answer('committed')
  end
  return answer('stale', at)
end
local last = 5 + tonumber(ARGV[5])
if last < 6 or last > #ARGV or (#ARGV - last) % 2 ~= 0 then
  return redis.error_reply('ERR commit: entries and tokens do not add up')
end

redis.call('SET', KEYS[1], ARGV[4], 'EX', ARGV[3])
for i = 6, last do
  redis.call('RPUSH', KEYS[2], ARGV[i])
end
for i = last + 1, #ARGV, 2 do
  redis.call('HSET', KEYS[3], ARGV[i], ARGV[i + 1])
end
end_together()
return answer('committed')

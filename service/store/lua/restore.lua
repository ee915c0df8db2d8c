#!lua
-- Keeps a game with its log and tokens, all of them at once, unless any key of its id is there.
--
-- ARGV   2 lifetime of the keys, milliseconds
--        3 state, opaque bytes (they hold the call id: equal bytes are this very call, re-sent)
--        4 number of entries
--        5, 6, ... the entries: opaque bytes
--        then token name, digest, ...
-- returns 'restored' | 'kept' (something is there, and stays as it is)

if redis.call('EXISTS', KEYS[1], KEYS[2], KEYS[3]) > 0 then
  if condition() == 'whole' and redis.call('GET', KEYS[1]) == ARGV[3] then
    confirm()
    return answer('restored')
  end
  return answer('kept')
end
local last = 4 + tonumber(ARGV[4])
if last < 4 or last > #ARGV or (#ARGV - last) % 2 ~= 0 then
  return redis.error_reply('ERR restore: entries and tokens do not add up')
end

redis.call('SET', KEYS[1], ARGV[3], 'PX', ARGV[2])
for i = 5, last do
  redis.call('RPUSH', KEYS[2], ARGV[i])
end
for i = last + 1, #ARGV, 2 do
  redis.call('HSET', KEYS[3], ARGV[i], ARGV[i + 1])
end
end_together()
return answer('restored')

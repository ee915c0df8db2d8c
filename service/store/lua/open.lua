#!lua
-- Keeps a new game, unless any key of its id is taken.
--
-- ARGV   2 lifetime of the keys, whole seconds
--        3 state, opaque bytes (they hold the call id: equal bytes are this very call, re-sent)
--        4, 5, ... token name, digest, ...
-- returns 'opened' | 'taken'

if redis.call('EXISTS', KEYS[1], KEYS[2], KEYS[3]) > 0 then
  if condition() == 'whole' and redis.call('GET', KEYS[1]) == ARGV[3] then
    return answer('opened')
  end
  return answer('taken')
end
if #ARGV < 3 or #ARGV % 2 == 0 then
  return redis.error_reply('ERR open: tokens come in pairs')
end

redis.call('SET', KEYS[1], ARGV[3], 'EX', ARGV[2])
for i = 4, #ARGV, 2 do
  redis.call('HSET', KEYS[3], ARGV[i], ARGV[i + 1])
end
redis.call('EXPIRE', KEYS[3], ARGV[2])
return answer('opened')

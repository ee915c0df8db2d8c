#!lua
-- Keeps a new game, unless any key of its id is taken, or a game of its id is gone.
--
-- KEYS   4 mark (string) of the id
-- ARGV   2 lifetime of the keys, whole seconds
--        3 lifetime of the mark, whole seconds; 0 leaves none
--        4 state, opaque bytes (they hold the call id: equal bytes are this very call, re-sent)
--        5, 6, ... token name, digest, ...
-- returns 'opened' | 'taken' | 'gone'

if redis.call('EXISTS', KEYS[1], KEYS[2], KEYS[3]) > 0 then
  if condition() == 'whole' and redis.call('GET', KEYS[1]) == ARGV[4] then
    confirm()
    return answer('opened')
  end
  return answer('taken')
end
if redis.call('EXISTS', KEYS[4]) > 0 then
  return answer('gone')
end
if #ARGV < 4 or #ARGV % 2 ~= 0 then
  return redis.error_reply('ERR open: tokens come in pairs')
end

if ARGV[3] ~= '0' then
  redis.call('SET', KEYS[4], '1', 'EX', ARGV[3])
end
redis.call('SET', KEYS[1], ARGV[4], 'EX', ARGV[2])
for i = 5, #ARGV, 2 do
  redis.call('HSET', KEYS[3], ARGV[i], ARGV[i + 1])
end
end_together()
return answer('opened')

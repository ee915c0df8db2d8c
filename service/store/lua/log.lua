#!lua flags=no-writes
-- Reads log entries.
--
-- ARGV   2 index of the first entry, decimal, from 0: the ply that it follows
--        3 index of the last entry, decimal; -1 for the last there is
-- returns 'whole', {entry (opaque bytes), ...} | 'missing' | 'torn'

local found = condition()
if found ~= 'whole' then
  return answer(found)
end
return answer('whole', redis.call('LRANGE', KEYS[2], ARGV[2], ARGV[3]))

#!lua flags=no-writes
-- Reads a game and its tokens.
--
-- returns 'whole', state (opaque bytes), ply (decimal), {token name, digest, ...}
--         | 'missing' | 'torn'

local found = condition()
if found ~= 'whole' then
  return answer(found)
end
return answer('whole', redis.call('GET', KEYS[1]), ply(), redis.call('HGETALL', KEYS[3]))

-- Stands before every script of a game; not a script by itself (scripts.py puts it there).
--
-- KEYS   1 state (string), 2 log (list), 3 tokens (hash) of one game
-- ARGV   1 the id of the call: 6 random bytes, given back as the first item of every answer,
--          so that an answer to another question is noticed
-- returns {call id, tag, ...}, with the tags of the script, or one of
--         'missing'   the game has no state
--         'torn'      a key holds another kind of value

local function answer(...)
  return { ARGV[1], ... }
end

-- 'whole', 'missing' or 'torn'
local function condition()
  local state = redis.call('TYPE', KEYS[1]).ok
  local log = redis.call('TYPE', KEYS[2]).ok
  local tokens = redis.call('TYPE', KEYS[3]).ok
  if (state ~= 'string' and state ~= 'none')
    or (log ~= 'list' and log ~= 'none')
    or (tokens ~= 'hash' and tokens ~= 'none')
  then
    return 'torn'
  end
  if state == 'none' then
    return 'missing'
  end
  return 'whole'
end

-- Ends all keys of the game with its state. Lifetimes would not do: Redis 7.0 counts each of them
-- from another millisecond, so that for a moment some keys would be there without the others.
local function end_together()
  local moment = redis.call('PEXPIRETIME', KEYS[1])
  if moment > 0 then -- unless somebody has made the game last for ever, by hand
    redis.call('PEXPIREAT', KEYS[2], moment)
    redis.call('PEXPIREAT', KEYS[3], moment)
  end
end

-- Writes the first key as it is: no value and no lifetime changes, but replicas are told, so that who
-- waits for them after this waits for all that was written before, on whatever connection it was.
local function confirm()
  redis.call('APPEND', KEYS[1], '')
end

-- The ply is the length of the log, in decimal: plies are compared as strings.
local function ply()
  return string.format('%d', redis.call('LLEN', KEYS[2]))
end

#!lua
-- Takes one token out of a bucket, if one is in it.
--
-- The bucket is kept as the moment at which it will be full again: every token taken puts that off
-- by the time that a token needs to come back (the generic cell rate algorithm).
--
-- KEYS   1 bucket (string), microseconds of the server's clock, decimal
-- ARGV   2 microseconds until a token comes back, 1 or more
--        3 tokens that the bucket holds when full, 1 or more
-- returns 'taken' | 'empty', tokens left, microseconds until one can be taken (0: now)

local clock = redis.call('TIME')
local now = tonumber(clock[1]) * 1000000 + tonumber(clock[2])
local each, size = tonumber(ARGV[2]), tonumber(ARGV[3])
local full = math.max(now, tonumber(redis.call('GET', KEYS[1]) or now))
if full - now > each * size then
  -- Not even an empty bucket takes so long: the clock was set back. Nobody waits until it is the
  -- old time again.
  full = now
end
local after = full + each
local wait = after - now - each * size
if wait > 0 then
  return answer('empty', 0, wait)
end
redis.call('SET', KEYS[1], string.format('%.0f', after), 'PX', math.ceil((after - now) / 1000))
return answer('taken', math.floor((each * size - (after - now)) / each), 0)

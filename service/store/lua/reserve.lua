#!lua
-- Keeps a reservation, unless there is one already; tells which one stands.
--
-- KEYS   1 reservation (string)
-- ARGV   2 lifetime, whole seconds
--        3 the reservation, opaque bytes
-- returns 'reserved', the reservation that stands

if not redis.call('SET', KEYS[1], ARGV[3], 'EX', ARGV[2], 'NX') then
  confirm()
end
return answer('reserved', redis.call('GET', KEYS[1]))

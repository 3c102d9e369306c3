/**
 * One atomic step of a permit table in Redis 7 or Valkey, in one round trip.
 *
 * KEYS[1] is a sorted set: each permit that is out, with the time it returns, and `pause` with the time it ends, both
 * in ms of Redis's own clock, which all processes share. The set expires with the last of them. ARGV: the command; ms
 * between settling a permit and its return; then take: ID of the permit, limit of permits, ms until an unsettled permit
 * expires. Returns {1}, or {0, ms of pause left, ms until each permit returns…} merge: ms of pause, then an ID and its
 * ms for each permit. Returns {1}
 */
export const permitScript = `
local key, command, hold = KEYS[1], ARGV[1], tonumber(ARGV[2])
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000

redis.call('ZREMRANGEBYSCORE', key, '-inf', now)
-- No pause is longer than five minutes and no flight than two. What is further ahead was written before the clock
-- was set back: how old it is cannot be known, so it counts as of now.
for _, member in ipairs(redis.call('ZRANGE', key, now + hold + 300000, '+inf', 'BYSCORE')) do
  redis.call('ZADD', key, now + hold, member)
end

if command == 'take' then
  local paused = (tonumber(redis.call('ZSCORE', key, 'pause')) or now) - now
  local out = redis.call('ZCARD', key) - (paused > 0 and 1 or 0)
  if paused > 0 or out >= tonumber(ARGV[4]) then
    local answer = { 0, math.ceil(paused) }
    local members = redis.call('ZRANGE', key, 0, -1, 'WITHSCORES')
    for i = 1, #members, 2 do
      if members[i] ~= 'pause' then
        answer[#answer + 1] = math.ceil(math.min(members[i + 1] - now, hold))
      end
    end
    return answer
  end
  redis.call('ZADD', key, now + tonumber(ARGV[5]), ARGV[3])
else
  if tonumber(ARGV[3]) > 0 then redis.call('ZADD', key, 'GT', now + ARGV[3], 'pause') end
  for i = 4, #ARGV, 2 do redis.call('ZADD', key, 'LT', now + ARGV[i + 1], ARGV[i]) end
end

local last = redis.call('ZRANGE', key, -1, -1, 'WITHSCORES')[2]
if last then redis.call('PEXPIRE', key, math.max(1, math.ceil(last - now))) end
return { 1 }
`;

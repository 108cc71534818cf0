-- What wrk sends, and what it says at its end: one line of JSON. BODIES has one body a line, to be posted in turn;
-- without it the URL is asked for. With IDEMPOTENCY_KEYS every other request has a key that begins so.
local requests = {}
local at = 0
local sent = 0
local keys = os.getenv("IDEMPOTENCY_KEYS")

function init()
  local headers = { ["Authorization"] = "Bearer " .. os.getenv("KEY"), ["Content-Type"] = "application/json" }
  local bodies = os.getenv("BODIES")
  if bodies then
    for line in bodies:gmatch("[^\n]+") do
      requests[#requests + 1] = wrk.format("POST", nil, headers, line)
    end
  else
    requests[1] = wrk.format("GET", nil, headers)
  end
end

function request()
  at = at % #requests + 1
  if not keys or at % 2 == 0 then
    return requests[at]
  end
  sent = sent + 1
  -- After the request line.
  return (requests[at]:gsub("\r\n", "\r\nIdempotency-Key: " .. keys .. sent .. "\r\n", 1))
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '{"requests":%d,"seconds":%.6f,"bytes":%d,"failed":%d,"refused":%d,"p50Ms":%.3f,"p99Ms":%.3f}\n',
    summary.requests, summary.duration / 1e6, summary.bytes, errors.connect + errors.read + errors.write + errors.timeout,
    errors.status, latency:percentile(50) / 1e3, latency:percentile(99) / 1e3))
end

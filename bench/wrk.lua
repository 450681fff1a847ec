-- Sends the requests of the file REQUESTS (lines of method, path and body, separated by tabs) in turn over all
-- connections, and prints the result as one line of JSON.
local requests = {}
for line in io.lines(os.getenv('REQUESTS')) do
  local method, path, body = line:match('^([^\t]*)\t([^\t]*)\t(.*)$')
  requests[#requests + 1] = { method = method, path = path, body = body ~= '' and body or nil }
end

if #requests == 1 then
  -- With a fixed request, wrk does not call this script again.
  wrk.method, wrk.path, wrk.body = requests[1].method, requests[1].path, requests[1].body
else
  local bytes, last = {}, 0
  -- In `init`, because wrk knows the headers only now.
  init = function()
    for index, request in ipairs(requests) do
      bytes[index] = wrk.format(request.method, request.path, nil, request.body)
    end
  end
  request = function()
    last = last % #bytes + 1
    return bytes[last]
  end
end

done = function(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '\n{"requests":%d,"seconds":%.6f,"p50":%.3f,"p99":%.3f,"failures":%d}\n',
    summary.requests,
    summary.duration / 1e6,
    latency:percentile(50) / 1e3,
    latency:percentile(99) / 1e3,
    errors.connect + errors.read + errors.write + errors.status + errors.timeout
  ))
end

import { readFileSync } from 'node:fs';
import autocannon from 'autocannon';

// A process of its own, as wrk is: prints the same line. What it does is in the environment, as for wrk.lua.
const { URL: url = '', REQUESTS = '', HEADERS = '{}', CONNECTIONS, SECONDS } = process.env;
const requests = readFileSync(REQUESTS, 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => {
    const [method, path, body] = line.split('\t') as [autocannon.Request['method'] & string, string, string];
    return { method, path, ...(body !== '' && { body }) };
  });

let last = -1;
// All connections together go through the requests, none through all of them by itself.
const setupRequest = (request: autocannon.Request) => {
  last = (last + 1) % requests.length;
  return { ...request, ...requests[last] };
};

const result = await autocannon({
  url,
  connections: Number(CONNECTIONS),
  duration: Number(SECONDS),
  headers: JSON.parse(HEADERS),
  requests: requests.length === 1 ? requests : [{ setupRequest }],
});
const { user, system } = process.cpuUsage();
console.log(
  JSON.stringify({
    requests: result.requests.total,
    seconds: result.duration,
    p50: result.latency.p50,
    p99: result.latency.p99,
    failures: result.errors + result.timeouts + result.non2xx,
    generatorSeconds: (user + system) / 1e6,
  }),
);

import { writeFile } from 'node:fs/promises';
import { STATUS_CODES } from 'node:http';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { readDocument } from '../support/documents.ts';
import { startHAProxy } from '../support/haproxy.ts';
import { startHttpServer } from '../support/http-server.ts';
import { lacks } from '../support/programs.ts';
import { exchangeText } from '../support/raw-http.ts';
import { useFolder } from '../support/test-app.ts';

/** Limits of deploy/haproxy.cfg that would take long to reach, and those of this test. */
const shortened = [
  ['timeout http-request 30s', 'timeout http-request 1s'],
  ['timeout server 40s', 'timeout server 1s'],
  ['sc0_http_req_rate gt 36000', 'sc0_http_req_rate gt 20'],
] as const;

const chunked = 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n';
const post = (length: number, sent: number, path = '/') =>
  `POST ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: ${length}\r\n\r\n${'x'.repeat(sent)}`;
const get = (path: string, connection = 'close') =>
  `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: ${connection}\r\n\r\n`;

/** Requests, and the code of the response; HAProxy has no JSON for bytes that are not HTTP, and only disconnects. */
const requests: [name: string, bytes: string, status: number | undefined, code?: string, retryAfter?: string][] = [
  ['bytes that are not HTTP', 'nonsense\r\n\r\n', undefined],
  ['an invalid header', 'GET / HTTP/1.1\r\nHost: a\r\nb c: d\r\n\r\n', undefined],
  ['invalid chunks', `${chunked}x\r\n`, undefined],
  ['headers that do not end', 'GET / HTTP/1.1\r\nHost: a\r\n', undefined],
  ['a body that does not end', post(10, 1), 408, 'request_timeout'],
  ['a chunk that does not end', `${chunked}1\r\nx\r\n`, 408, 'request_timeout'],
  ['the largest body', post(524_288, 524_288), 200],
  ['a larger body', post(524_289, 0), 413, 'payload_too_large'],
  ['a replica that disconnects', get('/disconnect'), 502, 'service_unavailable', '5'],
  ['a replica that disconnects a write', post(1, 1, '/disconnect'), 502, 'service_unavailable', '5'],
  ['a replica that does not respond', get('/wait'), 504, 'service_unavailable', '5'],
  ['a request over the limit of its address', get('/', 'keep-alive').repeat(20) + get('/'), 429, 'rate_limited', '60'],
];

describe.skipIf(lacks('haproxy'))('deploy/haproxy.cfg', async () => {
  const { components } = parse(await readDocument('openapi.yaml'));
  const codes: string[] = components.schemas.Problem.properties.code.enum;

  function expectProblem(text: string, status: number, code: string | undefined, retryAfter: string | undefined): void {
    const [head = '', body = ''] = text.slice(text.lastIndexOf('HTTP/1.1 ')).split('\r\n\r\n');
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(head.toLowerCase()).toContain('\r\ncontent-type: application/json');
    expect(/^retry-after: (\d+)/im.exec(head)?.[1]).toBe(retryAfter);
    const type = `/guides/errors#${code}`;
    expect(JSON.parse(body)).toEqual({ type, title: STATUS_CODES[status], status, detail: expect.any(String), code });
    expect(codes).toContain(code);
  }

  test("HAProxy's own responses are API problems, not HTML", async () => {
    let configuration = await readDocument('deploy/haproxy.cfg');
    for (const [from, to] of shortened) {
      expect(configuration).toContain(from);
      configuration = configuration.replace(from, to);
    }
    const file = join(await useFolder(), 'haproxy.cfg');
    await writeFile(file, configuration);
    const disconnected: (string | undefined)[] = [];
    await using replica = await startHttpServer(({ method, url }, response) => {
      if (url === '/disconnect') {
        disconnected.push(method);
        response.destroy();
      } else if (url !== '/wait') response.end();
    });
    const { host } = new URL(replica.url);
    const [REPLICA_1, REPLICA_2, REPLICA_3] = [host, host, host];
    await using balancer = await startHAProxy([file], { REPLICA_1, REPLICA_2, REPLICA_3 });
    await balancer.until('ready', 'replica1', 'replica2', 'replica3');
    const url = `http://${balancer.address}`;
    for (const [index, [name, bytes, status, code, retryAfter]] of requests.entries()) {
      // Each from an address of its own, which has limits of its own.
      const text = await exchangeText(url, bytes, `127.0.0.${index + 2}`);
      if (status === undefined) expect(text, name).toBe('');
      else if (status === 200) expect(text, name).toMatch(/^HTTP\/1.1 200 /);
      else expectProblem(text, status, code, retryAfter);
    }
    // Only reads are sent again: a write may have been executed.
    expect(disconnected).toEqual(['GET', 'GET', 'GET', 'GET', 'POST']);
    await replica[Symbol.asyncDispose]();
    await balancer.until('ready');
    expectProblem(await exchangeText(url, get('/')), 503, 'service_unavailable', '5');
  });
});

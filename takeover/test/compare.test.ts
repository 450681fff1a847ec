import { spawnSync } from 'node:child_process';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startHttpServer } from '../../test/support/http-server.ts';
import { expectFailure, expectWrongUsage, Process, type ProcessEnv } from '../../test/support/process.ts';
import { createTenant } from '../../test/support/tenant.ts';
import { startApp, use, useFolder } from '../../test/support/test-app.ts';
import { compareOutcomes, parsePath } from '../differences.ts';
import { inJson, type OldResponse, type PlantedDifference, startOldService } from './old-service.ts';

const app = use(await startApp({ RATE_LIMIT: 'off' }));
const tenant = await app.createTenant();
const folder = await useFolder();
const file = join(folder, 'recording');

const v1 = '/partner_portal/v1';

const request = (method: string, path: string, headers: Record<string, string>, body?: object) => {
  return { method, path, headers, body };
};
const get = (path: string, language = 'en') => request('GET', path, { 'Accept-Language': language });
const post = (path: string, body: object) => request('POST', path, { 'Content-Type': 'application/json' }, body);
const query = (text: string, variables?: object) => post('/graphql', { query: text, variables });
type Recorded = ReturnType<typeof get>;

const jsonLines = (requests: Recorded[]) => requests.map((request) => JSON.stringify(request)).join('\n');

const har = (requests: Recorded[], origin = 'https://partners.example') => {
  const others = { ':authority': 'x', Cookie: 'session=1', 'If-None-Match': '"1"', Authorization: 'Bearer x' };
  const entries = requests.map(({ method, path, headers, body }) => ({
    request: {
      method,
      url: origin + path,
      headers: Object.entries({ ...others, ...headers }).map(([name, value]) => ({ name, value })),
      ...(body && { postData: { mimeType: 'application/json', text: JSON.stringify(body) } }),
    },
    response: { status: 200, content: { text: 'x'.repeat(100) } },
  }));
  return { log: { version: '1.2', entries } };
};

const start = (env: ProcessEnv, args: string[], input?: string) => new Process('takeover/compare.ts', args, env, input);

async function run(env: ProcessEnv, ...args: string[]) {
  await using child = start(env, args);
  const code = await child.exited;
  const { stdout, stderr } = child;
  return { code, stdout, stderr };
}

type Options = { old?: string; other?: string; env?: ProcessEnv };

/** Compares the services; `found` are the differences that the last message lists, without their numbers. */
async function compare(recording: string, { old = app.url, other = app.url, env = {} }: Options, ...args: string[]) {
  await writeFile(file, recording);
  const result = await run(env, file, '--old', old, '--new', other, ...args);
  return { ...result, found: [...result.stderr.matchAll(/^ {2}\d+ x (.+)$/gm)].map(([, each]) => each) };
}

const requests: Recorded[] = [
  get(`${v1}/lookups?brand_types=1&week_days=1`),
  get(`${v1}/countries`),
  get(`${v1}/countries`, 'ar'),
  get(`${v1}/countries`, 'ar-SA'),
  get(`${v1}/cities?country_id=682`),
  get(`${v1}/cities?country_id=784`, 'ar'),
  get(`${v1}/timezones`),
  get(`${v1}/services`),
  get('/schema.graphql'),
  get('/readyz'),
  get('/records/17/parts/18'),
  { ...get(`${v1}/services`), method: 'HEAD' },
  query('query Cities { cities(countryId: 682) { id name } }'),
  query('{ company { nameEn } }'),
  query('query Names { countries { name } }'),
];

const contentType = (path: string, type: string): PlantedDifference => ({
  path: v1 + path,
  respond: (real) => ({ ...real, headers: { 'content-type': type } }),
});

const planted: PlantedDifference[] = [
  {
    path: `${v1}/lookups`,
    respond: (real) => ({ ...real, status: 302, headers: { ...real.headers, location: `${v1}/lookups/moved` } }),
  },
  inJson(`${v1}/countries`, ({ countries }) => countries.push(countries.splice(3, 1)[0]), 'ar'),
  inJson(`${v1}/countries`, ({ countries }) => countries.splice(7, 1), 'ar-SA'),
  inJson(`${v1}/cities?country_id=682`, ({ cities }) => Object.assign(cities[2], { name: '<b>Name</b>' })),
  inJson(`${v1}/cities?country_id=784`, ({ cities }) => delete cities[1].name_en),
  contentType('/timezones', 'application/json; charset=ISO-8859-1'),
  // Not a difference: the charset of JSON is UTF-8.
  contentType('/services', 'Application/JSON;charset="utf-8"'),
  inJson(`${v1}/services`, (body) => Object.assign(body, { total: 4 })),
  { path: '/schema.graphql', respond: (real) => ({ ...real, body: `${real.body}# end` }) },
  { path: '/readyz', respond: () => undefined },
  inJson('/graphql', ({ data }) => data.countries?.reverse()),
];

test('every planted difference is found with its route and language, and no other', async () => {
  await using old = await startOldService(app.url, [
    ...planted,
    { path: '/slow', respond: () => new Promise(() => {}) },
  ]);
  const env = { OLD_TOKEN: tenant.token, NEW_TOKEN: tenant.token };
  const report = join(folder, 'report.html');
  const recording = JSON.stringify(har([...requests, get('/slow')]), null, 2);
  const { code, stderr, found } = await compare(
    recording,
    { old: old.url, env },
    '--report',
    report,
    '--timeout',
    '10',
  );
  expect(code).toBe(1);
  expect(stderr).toMatch(/^9 of 16 requests differ, 2 failed\.\n/);
  expect(found.toSorted()).toEqual([
    `content_type: GET ${v1}/timezones, en`,
    `extra $.cities[*].name_en: GET ${v1}/cities, ar`,
    `extra $.countries[*]: GET ${v1}/countries, ar`,
    'failed (old: The operation was aborted due to timeout, new: status 404): GET /slow, en',
    'failed (old: UND_ERR_SOCKET, new: status 200): GET /readyz, en',
    `missing $.total: GET ${v1}/services, en`,
    `order $.countries: GET ${v1}/countries, ar`,
    'order $.data.countries: POST /graphql Names, en',
    `status: GET ${v1}/lookups, en`,
    `value $.cities[*].name: GET ${v1}/cities, en`,
    'value $: GET /schema.graphql, en',
  ]);

  const page = await readFile(report, 'utf8');
  expect(page.match(/<section>/g)).toHaveLength(11);
  expect(page).toContain('&lt;b&gt;Name&lt;/b&gt;');
  expect(page).not.toMatch(/<script|<link|<img|<b>|src=|url\(/);
  for (const { headers } of old.requests) {
    expect(headers).toMatchObject({ authorization: `Bearer ${tenant.token}`, host: new URL(old.url).host });
    expect(headers).not.toHaveProperty('cookie');
    expect(headers).not.toHaveProperty('if-none-match');
  }
});

test('the same service twice is the same, by each kind of recording', async () => {
  const logged = (request: string, status: number) =>
    `192.0.2.1 - "a b" [21/Nov/2026:09:00:00 +0000] "${request}" ${status} 157 "-" "curl/8.0"`;
  const log = requests
    .slice(0, 8)
    .map(({ path }) => logged(`GET ${path} HTTP/1.1`, 200))
    .concat(logged('\\x16\\x03\\x01', 400), logged(`POST ${v1}/product_tags HTTP/1.1`, 201));
  const ofBrowser = har(requests, app.url);
  ofBrowser.log.entries.push(...har(requests).log.entries);
  for (const [recording, skipped, sent] of [
    [JSON.stringify(ofBrowser), '', 15],
    [`\uFEFF${log.join('\r\n')}\n`, 'Skipped: 2, which are writes or not HTTP requests. Unreadable: 0.\n', 8],
    [JSON.stringify(har(requests)), '', 15],
  ] as const) {
    const { code, stdout, stderr } = await compare(recording, {});
    expect({ code, stderr }).toEqual({ code: 0, stderr: skipped });
    expect(stdout).toMatch(new RegExp(`\nAll ${sent} responses are equal\\.\n$`));
  }
  const withoutQueries = log.map((line) => line.replace(/\?\S+/, ''));
  const cut = await compare(withoutQueries.join('\n'), {});
  expect(cut).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('No line of the access log has a query string'),
  });
  expect(cut.stderr).toContain('Not comparable: 3 requests for lookups or cities without a query string.\n');
  const mixed = await compare([...log, ...withoutQueries].join('\n'), {});
  expect(mixed).toMatchObject({ code: 0, stderr: expect.stringContaining('Not comparable: 3 requests') });
  expect(mixed.stdout).toContain('All 13 responses are equal.');
  const lines = jsonLines([...requests, query('{ company { nameEn } } # \u2028'), post('/x', {})]);
  const input = `${lines}\n\nnonsense\n{"path":"/x"}\n${log[0]?.slice(0, 50)}`;
  await using damaged = start({}, ['-', '--old', app.url, '--new', app.url], input);
  expect(await damaged.exited).toBe(1);
  expect(damaged.stderr).toMatch(
    /^Skipped: 1, .+ Unreadable: 3 \(line 19, line 20, line 21\)\.\nAll 16 .+ are equal, 3 cannot be read\.\n$/,
  );
});

test('values are paired by what identifies them, and without what is ignored', () => {
  const outcome = (value: unknown) => ({ status: 200, contentType: '', body: JSON.stringify(value), ms: 1 });
  const differ = (old: unknown, other: unknown, ...ignored: string[]) => {
    const found = compareOutcomes(outcome(old), outcome(other), ignored.map(parsePath));
    return found.map(({ kind, path }) => `${kind} ${path}`);
  };
  const [types, days] = [{ brand_types: [{ value: 1, name: 'a' }] }, { week_days: [{ value: 1, name: 'b' }] }];
  const lookups = [{ lookups: [types, days] }, { lookups: [{ week_days: [{ value: 1, name: 'c' }] }, types] }] as const;
  expect(differ(...lookups)).toEqual(['order $.lookups', 'value $.lookups[*].week_days[*].name']);
  expect(differ(...lookups, '$.lookups[*].*[*].name')).toEqual(['order $.lookups']);
  expect(differ([{ at: 1, to: 'a' }, { at: 2 }], [{ at: 3 }, { to: 'a', at: 4 }], '$[*].at')).toEqual(['order $']);
  expect(differ([{ a: 1, b: 2 }], [{ b: 2, a: 1 }, { c: 1 }])).toEqual(['extra $[*]']);
  const names = { "it's a\\": 1, 'a.b': 1, اسم: 1, '*': 1, '': 1 };
  const paths = differ({ names }, { names: {} }).map((each) => each.replace('missing ', ''));
  expect(paths).toContain(String.raw`$.names['it\'s a\\']`);
  expect(differ({ names }, { names: {} }, ...paths)).toEqual([]);
  expect(differ({ names }, { names: {} }, '$.names.*')).toEqual([]);
});

test('both services may be below a path; HAR may have forms, and no headers', async () => {
  await using old = await startOldService(app.url, [], (part) => part.replace('/api/', '/'));
  const { entries } = har([get(`/api${v1}/services`), get('/page.js')], old.url).log;
  const postData = { params: [{ name: 'name_en', value: 'A b' }] };
  const form = { request: { method: 'POST', url: `${old.url}/api${v1}/product_tags`, postData } };
  const recording = JSON.stringify({ log: { entries: [...entries, form] } });
  const { code, stdout } = await compare(recording, { old: `${old.url}/api/` }, '--writes');
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('All 2 responses are equal.') });
  expect(old.requests.map(({ url }) => url)).toEqual([`/api${v1}/services`, `/api${v1}/product_tags`]);
  const formHeaders = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': '11' };
  expect(old.requests[1]?.headers).toMatchObject(formHeaders);
});

test('requests over a limit are sent again, up to three times', async () => {
  const limit = (path: string, retryAfter: string, times: number): PlantedDifference => {
    const limited = { status: 429, body: '', headers: { 'retry-after': retryAfter } };
    return { path: v1 + path, respond: (real) => (times-- > 0 ? limited : real) };
  };
  const limits = [limit('/services', '1', 2), limit('/timezones', '0', 3), limit('/countries', '121', 1)];
  await using old = await startOldService(app.url, limits);
  const recording = jsonLines(['/services', '/timezones', '/countries'].map((path) => get(v1 + path)));
  expect((await compare(recording, { old: old.url })).stderr).toMatch(/^2 of 3 requests differ, 0 failed\.\n/);
  expect(old.requests).toHaveLength(3 + 3 + 1);
});

test.each(['SIGINT', 'SIGTERM'] as const)('%s ends with a report of what was compared', async (signal) => {
  await using old = await startOldService(app.url, [{ path: '/slow', respond: () => new Promise(() => {}) }]);
  const report = join(folder, 'interrupted.html');
  await writeFile(report, 'before');
  await writeFile(file, jsonLines([get(`${v1}/services`), get('/slow')]));
  await using child = start({}, [file, '--old', old.url, '--new', app.url, '--concurrency', '1', '--report', report]);
  await expect.poll(() => old.requests.length).toBe(2);
  expect(await readFile(report, 'utf8')).toBe('before');
  expect(await child.end(signal)).toBe(signal === 'SIGINT' ? 130 : 143);
  expect(child.stdout).toContain(`| GET ${v1}/services | en `);
  expect(await readFile(report, 'utf8')).toContain('0 of 1 differ');
});

test('ignored paths do not count', async () => {
  const differences = [
    inJson(`${v1}/countries`, ({ countries }) => Object.assign(countries[0], { id: 1000682, name_ar: '-' })),
    inJson(`${v1}/services`, (body) => Object.assign(body, { meta: { page: { total: 4 } } })),
  ];
  await using old = await startOldService(app.url, differences);
  const recording = jsonLines([get(`${v1}/countries`), get(`${v1}/services`)]);
  const ignores = ['--ignore', '$.countries[*].name_ar', '--ignore', '$..total'];
  const { found } = await compare(recording, { old: old.url }, ...ignores);
  expect(found.toSorted()).toEqual([
    `missing $.meta: GET ${v1}/services, en`,
    `value $.countries[*].id: GET ${v1}/countries, en`,
  ]);
  const more = ['--ignore', '$.meta', '--ignore', '$.countries[*].id'];
  expect(await compare(recording, { old: old.url }, ...ignores, ...more)).toMatchObject({ code: 0 });
});

test('tokens are in no output, however a service repeats them', async () => {
  const token = 'old/"<secret>&token';
  const json = JSON.stringify(token);
  const escaped = json.replace('/', '\\/');
  const echo = (path: string, body: string, status = 200): PlantedDifference => ({
    path: v1 + path,
    respond: (real) => ({ ...real, status, body }),
  });
  await using old = await startOldService(app.url, [
    echo('/services', `{ "a": ${escaped}, ${json}: 1, "long": "${'x'.repeat(1_990)}${tenant.token}" }`),
    echo('/timezones', token),
    echo('/countries', escaped, 418),
  ]);
  const report = join(folder, 'tokens.html');
  const paths = [`/services?token=${encodeURIComponent(token)}`, '/timezones', '/countries'];
  const recording = jsonLines(paths.map((path) => get(v1 + path)));
  const env = { OLD_TOKEN: token, NEW_TOKEN: tenant.token };
  const { stdout, stderr } = await compare(recording, { old: old.url, env }, '--report', report);
  const output = `${stdout}${stderr}${await readFile(report, 'utf8')}`;
  expect(output).toContain('[token]');
  expect(output).not.toMatch(/secret|pp_[\w-]{4}/);
  expect(old.requests[0]?.headers.authorization).toBe(`Bearer ${token}`);
});

test('writes are sent on request alone, one at a time and in order', async () => {
  await using other = await startApp({ RATE_LIMIT: 'off' });
  const { token } = await createTenant(other.db);
  await using old = await startOldService(app.url);
  const recorded = Array.from({ length: 6 }, (_, index) => [
    get(`${v1}/services`),
    post(`${v1}/product_tags`, { name_en: `Tag ${index}` }),
    query(`mutation { createProductTag(input: { nameEn: "Tag ${index}" }) { userErrors { code } } }`),
  ]).flat();
  const options = { old: old.url, other: other.url, env: { OLD_TOKEN: tenant.token, NEW_TOKEN: token } };
  expect((await compare(jsonLines(recorded), options)).stderr).toContain('Skipped: 12');
  expect(old.requests.splice(0)).toHaveLength(6);
  old.load.busiest = 0;
  expect(await compare(jsonLines(recorded), options, '--writes', '--ignore', '$.id')).toMatchObject({ code: 0 });
  const sent = old.requests.map(({ method, url }) => `${method} ${url}`);
  expect(sent).toEqual(recorded.map(({ method, path }) => `${method} ${path}`));
  expect(old.load.busiest).toBe(1);
  expect(new Set(old.requests.map(({ headers }) => headers['x-request-id'])).size).toBe(18);
});

test('--concurrency and --rate bound the requests at the same time', async () => {
  const services = get(`${v1}/services`);
  // It responds to none until three wait.
  const { promise: three, resolve } = Promise.withResolvers<void>();
  const respond = async (real: OldResponse) => {
    if (old.load.running === 3) resolve();
    await three;
    return real;
  };
  await using old = await startOldService(app.url, [{ path: v1, respond }]);
  await compare(jsonLines(Array(40).fill(services)), { old: old.url }, '--concurrency', '3');
  expect(old.load.busiest).toBe(3);

  const start = performance.now();
  await compare(jsonLines(Array(3).fill(services)), { old: old.url }, '--concurrency', '3', '--rate', '1');
  expect(performance.now() - start).toBeGreaterThan(2_000);
});

test('responses may be deep, or contain control characters', async () => {
  const deep = '['.repeat(50_000) + ']'.repeat(50_000);
  await using old = await startHttpServer(({ url }, response) => {
    response.end(url === '/deep' ? deep : '{"name":"\\u001b[2J\u009b2J"}');
  });
  await using other = await startHttpServer((_request, response) => void response.end('{"name":"b"}'));
  const report = join(folder, 'hostile.html');
  const recording = jsonLines([get('/deep'), get('/controls'), get('/a\u009bb')]);
  const { stdout, stderr } = await compare(recording, { old: old.url, other: other.url }, '--report', report);
  expect(stderr).toMatch(/^3 of 3 requests differ, 0 failed\.\n/);
  expect((await stat(report)).mode & 0o777).toBe(0o600);
  for (const text of [stdout, stderr, await readFile(report, 'utf8')]) expect(text).not.toMatch(/(?!\n)\p{Cc}/u);
});

test('ten times the requests take no more memory', async () => {
  const change = inJson(`${v1}/services`, (body) => Object.assign(body, { at: Math.random() }));
  await using old = await startOldService(app.url, [change]);
  // The largest heap after a collection, at every fiftieth response.
  const hook = `let [peak, responses] = [0, 0];
    process.getBuiltinModule('diagnostics_channel').subscribe('undici:request:trailers', () => {
      responses += 1;
      if (responses % 50 > 0) return;
      gc();
      peak = Math.max(peak, process.memoryUsage().heapUsed);
    });
    process.on('exit', () => console.error('peak=' + peak));`;
  const env = { NODE_OPTIONS: `--expose-gc --import=data:text/javascript,${encodeURIComponent(hook)}` };
  const measurePeak = async (count: number) => {
    const recording = jsonLines(
      Array.from({ length: count }, (_, index) => get(`${v1}/services?page${index}=${index}`)),
    );
    await writeFile(file, recording);
    await using child = start(env, [file, '--old', old.url, '--new', app.url, '--concurrency', '16']);
    expect(await child.exited).toBe(1);
    const all = count.toLocaleString('en');
    expect(child.stderr).toContain(`${all} of ${all} requests differ, 0 failed.`);
    return Number(/peak=(\d+)/.exec(child.stderr)?.[1]);
  };
  const [few, many] = [await measurePeak(100), await measurePeak(1_000)];
  expect(many / few).toBeLessThan(1.2);
});

test('wrong usage and files that cannot be read are sentences', async () => {
  const urls = ['--old', app.url, '--new', app.url];
  expectWrongUsage(await run({}, file, '--old', app.url), /--new.*\n.*compare.ts --help/);
  const withUser = ['--old', 'http://user:password@old.example', '--new', app.url];
  expectWrongUsage(await run({}, file, ...withUser), /without user/);
  expectWrongUsage(await run({}, file, ...urls, '--ignore', '$.a[0]'), /\$\.\.request_id/);
  await writeFile(file, 'No recording.\n');
  expectFailure(await run({}, file, ...urls), /No request was sent/);
  expectFailure(await run({}, folder, ...urls), /illegal operation on a directory/);
  expectFailure(await run({}, join(folder, 'none'), ...urls), /no such file/);
  const report = join(folder, 'none', 'report.html');
  expectFailure(await run({}, file, ...urls, '--report', report), /report\.html\S* cannot be used: no such file/);
  await writeFile(file, '{\n"log": 1');
  expectFailure(await run({}, file, ...urls), /begins as HAR does/);
});

test('the comparison of rows lists companies that only this service has, and ends at any other difference', async () => {
  const compare = async (table: string, old: string, here: string) => {
    for (const [name, rows] of [['old', old] as const, ['new', here] as const]) {
      await mkdir(join(folder, name), { recursive: true });
      await writeFile(join(folder, name, `${table}.csv`), rows);
    }
    const script = join(import.meta.dirname, '../compare-rows.sh');
    const { status, stderr } = spawnSync('bash', [script, join(folder, 'old'), join(folder, 'new'), table], {
      encoding: 'utf8',
    });
    return { status, stderr };
  };
  const both = 'id,name_en\n1,Kept\n';
  const { status, stderr } = await compare('companies', both, 'id,address,name_en\n1,,Kept\n2,,Deleted there\n');
  expect([status, stderr]).toEqual([
    0,
    expect.stringMatching(/^Only this service has .*companies\.csv: 2,,Deleted there\n$/),
  ]);
  expect((await compare('companies', both, 'id,name_en\n1,Other\n')).status).toBe(1);
  expect((await compare('items', both, `${both}2,Deleted there\n`)).status).toBe(1);
});

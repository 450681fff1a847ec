import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startApp, use, useFolder } from '../support/app.ts';
import { inJson, type PlantedDifference, startOldService } from '../support/old-service.ts';
import { expectRefusal, expectWrongUsage, spawnAdmin } from '../support/process.ts';
import { createTenant } from '../support/tenant.ts';
import { runInTerminal } from '../support/terminal.ts';

const app = use(await startApp({ RATE_LIMIT: 'off' }));
const tenant = await createTenant(app.db);
const folder = await useFolder();

const v1 = '/partner_portal/v1';

interface Recorded {
  method?: string;
  path: string;
  language?: string;
  body?: unknown;
}

const ndjson = (requests: Recorded[]) =>
  requests
    .map(({ method = 'GET', path, language, body }) =>
      JSON.stringify({ method, path, ...(language && { headers: { 'Accept-Language': language } }), body }),
    )
    .join('\n');

const har = (requests: Recorded[], origin: string) => {
  const entries = requests.map(({ method = 'GET', path, language, body }) => ({
    request: {
      method,
      url: path.startsWith('/') ? origin + path : path,
      headers: [
        { name: ':authority', value: 'partners.example' },
        { name: 'Host', value: 'partners.example' },
        { name: 'Cookie', value: 'session=1' },
        { name: 'If-None-Match', value: '"1"' },
        { name: 'Authorization', value: 'Bearer recorded' },
        ...(language ? [{ name: 'Accept-Language', value: language }] : []),
        ...(body ? [{ name: 'Content-Type', value: 'application/json' }] : []),
      ],
      ...(body ? { postData: { mimeType: 'application/json', text: JSON.stringify(body) } } : {}),
    },
    response: { status: 200, content: { text: 'x'.repeat(100) } },
  }));
  return JSON.stringify({ log: { version: '1.2', entries } }, null, 2);
};

interface Options {
  old: string;
  other?: string;
  env?: Record<string, string>;
  args?: string[];
}

/** Runs the command as an operator does; resolves to what it printed. */
async function run(args: string[], env: Record<string, string> = {}, input?: string) {
  await using child = spawnAdmin(env, ['compare', ...args], input);
  return { code: await child.exited, stdout: child.stdout, stderr: child.stderr };
}

async function compare(recording: string, { old, other = app.url, env, args = [] }: Options) {
  const file = join(folder, 'recording');
  await writeFile(file, recording);
  return run([file, '--old', old, '--new', other, ...args], env);
}

async function compareJson(recording: string, options: Options) {
  const run = await compare(recording, { ...options, args: ['--json', ...(options.args ?? [])] });
  return { ...run, ...JSON.parse(run.stdout) };
}

const pathsOf = (run: { differences: { path?: string }[] }) => run.differences.map(({ path }) => path);

const query = (text: string, variables?: object) => ({
  method: 'POST',
  path: '/graphql',
  body: { query: text, variables },
});

const requests: Recorded[] = [
  { path: `${v1}/lookups?brand_types=1&week_days=1` },
  { path: `${v1}/countries` },
  { path: `${v1}/countries`, language: 'ar' },
  { path: `${v1}/countries`, language: 'ar-SA' },
  { path: `${v1}/cities?country_id=682` },
  { path: `${v1}/cities?country_id=784`, language: 'ar' },
  { path: `${v1}/timezones` },
  { path: `${v1}/services` },
  { path: '/schema.graphql' },
  { path: '/readyz' },
  { path: '/records/17/parts/18' },
  { path: `${v1}/services`, method: 'HEAD' },
  query('query Cities { cities(countryId: 682) { id name } }'),
  query('{ viewer { company { nameEn } } }'),
  query('query Names { countries { name } }'),
];

const planted: PlantedDifference[] = [
  { path: `${v1}/lookups`, respond: (real) => ({ ...real, status: 404 }) },
  inJson(`${v1}/countries`, ({ countries }) => countries.push(countries.splice(3, 1)[0]), 'ar'),
  inJson(`${v1}/countries`, ({ countries }) => countries.splice(7, 1), 'ar-SA'),
  inJson(`${v1}/cities?country_id=682`, ({ cities }) => Object.assign(cities[2], { name: '<b>Name</b>' })),
  inJson(`${v1}/cities?country_id=784`, ({ cities }) => delete cities[1].name_en),
  {
    path: `${v1}/timezones`,
    respond: (real) => ({ ...real, headers: { 'content-type': 'application/json; charset=ISO-8859-1' } }),
  },
  // Not a difference: the charset of JSON is UTF-8.
  {
    path: `${v1}/services`,
    respond: (real) => ({ ...real, headers: { 'content-type': 'Application/JSON;charset="utf-8"' } }),
  },
  inJson(`${v1}/services`, (body) => Object.assign(body, { total: 4 })),
  { path: '/schema.graphql', respond: (real) => ({ ...real, body: `${real.body}# end` }) },
  { path: '/readyz', respond: () => undefined },
  inJson('/graphql', ({ data }) => data.countries?.reverse()),
];
test('every planted difference is found with its route and language, and no other', async () => {
  await using old = await startOldService(app.url, planted);
  const env = { OLD_TOKEN: tenant.token, NEW_TOKEN: tenant.token };
  const report = join(folder, 'report.html');
  const recording = har([...requests, { path: 'https://cdn.example/logo.svg' }], old.url);
  const run = await compareJson(recording, { old: old.url, env, args: ['--report', report] });
  expect(run.code).toBe(1);
  expect(Object.keys(JSON.parse(run.stdout))).toEqual(['summary', 'differences']);
  expect(run.summary).toEqual({ sent: 15, same: 5, different: 9, failed: 1 });
  const found = run.differences.map(({ kind, route, language, path = '' }: Record<string, string>) =>
    [kind, route, language, path].join(' ').trim(),
  );
  expect(found.toSorted()).toEqual([
    `content_type GET ${v1}/timezones en`,
    `extra GET ${v1}/cities ar $.cities[*].name_en`,
    `extra GET ${v1}/countries ar $.countries[*]`,
    'failed GET /readyz en',
    `missing GET ${v1}/services en $.total`,
    `order GET ${v1}/countries ar $.countries`,
    'order POST /graphql query Names en $.data.countries',
    `status GET ${v1}/lookups en`,
    'text GET /schema.graphql en',
    `value GET ${v1}/cities en $.cities[*].name`,
  ]);
  expect(run.stderr).toContain('Skipped: of other hosts (1).');
  expect(run.stderr).toContain(`1 x value $.cities[*].name: GET ${v1}/cities, en`);

  const page = await readFile(report, 'utf8');
  expect(page.match(/<section>/g)).toHaveLength(10);
  expect(page).toContain('&lt;b&gt;Name&lt;/b&gt;');
  expect(page).not.toMatch(/<script|<link|<img|<b>|src=|url\(/);
  for (const { headers } of old.requests) {
    expect(headers).toMatchObject({ authorization: `Bearer ${tenant.token}`, host: new URL(old.url).host });
    expect(headers).not.toHaveProperty('cookie');
    expect(headers).not.toHaveProperty('if-none-match');
  }
});

test('the same service twice is the same, by each kind of recording', async () => {
  const log = requests
    .slice(0, 8)
    .map(({ path }) => `192.0.2.1 - "a b" [21/Nov/2026:09:00:00 +0000] "GET ${path} HTTP/1.1" 200 12 "-" "curl/8.0"`)
    .concat('192.0.2.1 - - [21/Nov/2026:09:00:00 +0000] "\\x16\\x03\\x01" 400 157 "-" "-"')
    .concat(`192.0.2.1 - - [21/Nov/2026:09:00:00 +0000] "POST ${v1}/product_tags HTTP/1.1" 201 157 "-" "-"`);
  for (const [recording, skipped, sent] of [
    [`\uFEFF${log.join('\r\n')}\n`, 'Skipped: not HTTP (1), writes (1).\n', 8],
    [har(requests, 'https://partners.example'), '', 15],
    [JSON.stringify(JSON.parse(har(requests, app.url))), '', 15],
  ] as const) {
    const run = await compare(recording, { old: app.url });
    expect(run).toMatchObject({ code: 0, stderr: skipped });
    const counts = [...run.stdout.matchAll(/^.+\t(?:en|ar)\t(\d+)\t\1\t0\t0(?:\t\d+(?:\.\d)?){4}$/gm)];
    expect(counts).toHaveLength(run.stdout.trim().split('\n').length);
    expect(counts.reduce((sum, [, count]) => sum + Number(count), 0)).toBe(sent);
  }
  const damaged = await compare(`${ndjson(requests)}\n\nnonsense\n{"path":"/x"}`, { old: app.url });
  expect(damaged.code).toBe(1);
  expect(damaged.stderr).toMatch(/2 requests of the recording cannot be read\.\n0 of 15 requests differ, 0 failed\./);
  const args = ['-', '--old', app.url, '--new', app.url, '--json'];
  expect(await run(args, {}, ndjson(requests))).toMatchObject({ code: 0 });
});

test('ignored paths do not count, and mapped ids are translated', async () => {
  const otherIds = (path: string): PlantedDifference => ({
    path,
    respond: (_real, request, pass) =>
      pass({ ...request, path: request.path.replace('1000682', '682'), body: request.body.replace('1000682', '682') }),
  });
  await using old = await startOldService(app.url, [
    inJson(`${v1}/countries`, ({ countries }) => Object.assign(countries[0], { id: 1000682, name_ar: '-' })),
    inJson(`${v1}/services`, (body) => Object.assign(body, { meta: { page: { total: 4 } } })),
    otherIds(`${v1}/cities?country_id=1000682`),
    otherIds('/graphql'),
  ]);
  const recording = ndjson([
    { path: `${v1}/countries` },
    { path: `${v1}/services` },
    { path: `${v1}/cities?country_id=1000682` },
    query('{ cities(countryId: 1000682) { id } }'),
    query('query Cities($countryId: Int) { cities(countryId: $countryId) { id } }', { countryId: 1000682 }),
  ]);
  const map = join(folder, 'ids.csv');
  await writeFile(map, 'old,new\n1000682,682\n');
  const ignores = ['--ignore', '$.countries[*].name_ar', '--ignore', '$..total'];
  const both = [...ignores, '--ignore', '$.meta', '--map-ids', map];
  expect((await compareJson(recording, { old: old.url })).summary).toMatchObject({ same: 0, different: 5 });
  const ignored = await compareJson(recording, { old: old.url, args: ignores });
  expect(pathsOf(ignored)).toEqual(expect.arrayContaining(['$.countries[*].id', '$.meta']));
  expect(pathsOf(ignored).join()).not.toMatch(/name_ar|total/);
  expect((await compareJson(recording, { old: old.url, args: both })).summary).toMatchObject({ same: 5, different: 0 });
});

test('tokens are in no output, however a service repeats them', async () => {
  const token = 'old/"<secret>&token';
  const json = JSON.stringify(token);
  const escaped = json.replace('/', '\\/');
  const long = `${'x'.repeat(1_990)}${tenant.token}`;
  const echo = (path: string, body: string, status = 200): PlantedDifference => ({
    path: `${v1}${path}`,
    respond: (real) => ({ ...real, status, body }),
  });
  await using old = await startOldService(app.url, [
    echo('/services', `{ "a": ${escaped}, ${json}: 1, "long": "${long}" }`),
    echo('/timezones', token),
    echo('/countries', escaped, 418),
  ]);
  const report = join(folder, 'tokens.html');
  const recording = ndjson([
    { path: `${v1}/services?token=${encodeURIComponent(token)}` },
    { path: `${v1}/timezones` },
    { path: `${v1}/countries` },
  ]);
  const env = { OLD_TOKEN: token, NEW_TOKEN: tenant.token };
  for (const args of [['--json', '--report', report], []]) {
    const run = await compare(recording, { old: old.url, env, args });
    const output = `${run.stdout}${run.stderr}${await readFile(report, 'utf8')}`;
    expect(output).toContain('[token]');
    expect(output).not.toMatch(/secret|pp_[\w-]{4}/);
  }
  expect(old.requests[0]?.headers.authorization).toBe(`Bearer ${token}`);
});

test('writes are sent on request alone, one at a time and in order', async () => {
  await using other = await startApp({ RATE_LIMIT: 'off' });
  const { token } = await createTenant(other.db);
  await using old = await startOldService(app.url);
  const recorded = Array.from({ length: 6 }, (_, index) => [
    { path: `${v1}/services`, method: 'GET' },
    { path: `${v1}/product_tags`, method: 'POST', body: { name_en: `Tag ${index}` } },
    query(`mutation { createProductTag(input: { nameEn: "Tag ${index}" }) { userErrors { code } } }`),
  ]).flat();
  const options = { old: old.url, other: other.url, env: { OLD_TOKEN: tenant.token, NEW_TOKEN: token } };
  const reads = await compareJson(ndjson(recorded), options);
  expect(reads.summary).toMatchObject({ sent: 6 });
  expect(reads.stderr).toContain('Skipped: writes (12).');
  expect(old.requests).toHaveLength(6);
  await using ordered = await startOldService(app.url);
  const args = ['--writes', '--ignore', '$.id'];
  const run = await compareJson(ndjson(recorded), { ...options, old: ordered.url, args });
  expect(run).toMatchObject({ code: 0, summary: { sent: 18, same: 18, different: 0, failed: 0 } });
  expect(ordered.requests.map(({ method, path }) => [method, path])).toEqual(
    recorded.map(({ method, path }) => [method, path]),
  );
  expect(ordered.busiest).toBe(1);
  const ids = ordered.requests.map(({ headers }) => headers['x-request-id']);
  expect(new Set(ids).size).toBe(18);
});

test('redirects are compared and not followed, integers digit by digit, limits are waited for, and what does not respond has failed', async () => {
  const never = new Promise<undefined>(() => {});
  const redirect = (to: string): PlantedDifference => ({
    path: '/moved',
    respond: (real) => ({ ...real, status: 302, headers: { location: to } }),
  });
  const integer = (digits: string): PlantedDifference => ({
    path: '/integer',
    respond: (real) => ({ ...real, headers: { 'content-type': 'application/json' }, body: `{"id":${digits}}` }),
  });
  const seen = new Set<string>();
  const limited: PlantedDifference = {
    path: '/limited',
    respond(real, { path }) {
      if (seen.has(path)) return real;
      seen.add(path);
      return { ...real, status: 429, headers: { 'retry-after': '1' } };
    },
  };
  await using old = await startOldService(app.url, [
    redirect('/a'),
    integer('9007199254740993'),
    limited,
    { path: '/slow', respond: () => never },
  ]);
  await using other = await startOldService(app.url, [redirect('/b'), integer('9007199254740992')]);
  const recording = ndjson(['/moved', '/integer', '/limited', '/slow'].map((path) => ({ path })));
  const run = await compareJson(recording, { old: old.url, other: other.url, args: ['--timeout', '5'] });
  expect(run.summary).toEqual({ sent: 4, same: 1, different: 2, failed: 1 });
  expect(run.stdout).toContain('"old":9007199254740993,"new":9007199254740992');
  expect(run.differences.map(({ kind, example }: never) => [kind, (example as { old: string }).old])).toEqual([
    ['redirect', '/a'],
    ['value', 2 ** 53],
    ['failed', 'no response in 5 s'],
  ]);
  expect(other.requests.map(({ path }) => path)).not.toContain('/b');
  const gone = await compare(ndjson(Array(200).fill({ path: '/x' })), { old: 'http://127.0.0.1:1' });
  expect(gone).toMatchObject({ code: 1, stderr: expect.stringMatching(/ECONNREFUSED[\s\S]*Stopped early/) });
});

test('an interrupted comparison reports what it has', async () => {
  await using old = await startOldService(app.url, [{ path: '/slow', respond: () => new Promise(() => {}) }]);
  const file = join(folder, 'interrupted');
  await writeFile(file, ndjson([{ path: `${v1}/services` }, { path: `${v1}/countries` }, { path: '/slow' }]));
  await using run = spawnAdmin({}, ['compare', file, '--old', old.url, '--new', app.url, '--concurrency', '1']);
  await expect.poll(() => old.requests.length).toBe(3);
  expect(await run.end('SIGINT')).toBe(130);
  expect(run.stdout.trim().split('\n')).toHaveLength(2);
  expect(run.stderr).toBe('Interrupted.\n0 of 2 requests differ, 0 failed.\n');
});

test('--concurrency bounds the requests at the same time, --rate those of a second', async () => {
  await using old = await startOldService(app.url);
  const recording = ndjson(Array(40).fill({ path: `${v1}/services` }));
  await compare(recording, { old: old.url, args: ['--concurrency', '3'] });
  expect(old.busiest).toBeGreaterThan(1);
  expect(old.busiest).toBeLessThanOrEqual(3);
  const start = performance.now();
  await compare(recording, { old: old.url, args: ['--rate', '20'] });
  expect(performance.now() - start).toBeGreaterThan(39 * 50);
});

test('ten times the requests take no more memory', async () => {
  await using old = await startOldService(app.url, [
    inJson(`${v1}/services`, (body) => Object.assign(body, { at: Math.random() })),
  ]);
  // The largest heap after a collection, of those that the process makes twice a second.
  const hook = `let peak = 0; setInterval(() => { gc(); peak = Math.max(peak, process.memoryUsage().heapUsed); }, 500).unref();
    process.on('exit', () => console.error('peak=' + peak));`;
  const env = { NODE_OPTIONS: `--expose-gc --import=data:text/javascript,${encodeURIComponent(hook)}` };
  const peakOf = async (count: number) => {
    const recording = ndjson(
      Array.from({ length: count }, (_, index) => ({ path: `${v1}/services?page${index}=${index}` })),
    );
    const run = await compareJson(recording, { old: old.url, env, args: ['--concurrency', '16'] });
    expect(run.summary).toMatchObject({ sent: count, different: count });
    return Number(/peak=(\d+)/.exec(run.stderr)?.[1]);
  };
  const [few, many] = [await peakOf(1_000), await peakOf(10_000)];
  expect(many / few).toBeLessThan(1.2);
});

test('wrong usage and files that cannot be read are sentences', async () => {
  const file = join(folder, 'recording');
  await writeFile(file, 'No recording.\n');
  const urls = ['--old', app.url, '--new', app.url];
  expectWrongUsage(await run([file, '--old', app.url]), /--new/);
  expectWrongUsage(await run([file, '--old', 'http://user:password@old.example', '--new', app.url]), /without user/);
  expectWrongUsage(await run([file, ...urls, '--ignore', '$.a[0]']), /\$\.\.request_id/);
  expectRefusal(await run([file, ...urls]), /neither HAR/);
  expectRefusal(await run([folder, ...urls]), /it is a folder/);
  expectRefusal(await run([join(folder, 'none'), ...urls]), /ENOENT/);
  expectRefusal(
    await run([file, ...urls, '--report', join(folder, 'none', 'report.html')]),
    /report\.html\S* cannot be used: ENOENT/,
  );
  await writeFile(file, 'old,new\n1,x\n');
  expectRefusal(await run([file, ...urls, '--map-ids', file]), /line 2, new: must be a whole number/);
});

// `script` of util-linux, as Linux has it.
test.runIf(process.platform === 'linux')('a terminal gets a progress bar, and then a table', async () => {
  const file = join(folder, 'recording');
  await writeFile(file, ndjson(Array(1_000).fill({ path: `${v1}/countries` })));
  const { code, screen } = await runInTerminal({}, ['compare', file, '--old', app.url, '--new', app.url]);
  expect(code).toBe(0);
  expect(screen).toMatch(/█+░+ \d+ % {2}\d+ sent, 0 different, 0 failed/);
  expect(screen).toMatch(
    /\| ROUTE +\| LANGUAGE \| SENT \| SAME \| DIFFERENT \| FAILED \| OLD P50 MS \| OLD P95 MS \| NEW P50 MS \|/,
  );
});

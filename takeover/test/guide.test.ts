import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { documentBlocks, root } from '../../test/support/documents.ts';
import { freePort } from '../../test/support/free-port.ts';
import { startHAProxy } from '../../test/support/haproxy.ts';
import { databaseUrl, execute, startInstalledPostgres } from '../../test/support/postgres-server.ts';
import { createDatabase } from '../../test/support/postgres-template.ts';
import { type ServiceProcess, startService } from '../../test/support/process.ts';
import { lacks } from '../../test/support/programs.ts';
import { runCommands } from '../../test/support/shell.ts';
import { createTenant, type Tenant } from '../../test/support/tenant.ts';
import { openDatabase, useFolder } from '../../test/support/test-app.ts';
import { copyTakeover, edit } from './copy-takeover.ts';
import { inJson, startOldService } from './old-service.ts';
import { renameTables } from './old-tables.ts';

const v1 = '/partner_portal/v1';
const lookups = '/lookups?cuisine_types=-1&week_days=1';
const paths = ['/countries', '/cities?country_id=682', '/timezones', '/services', lookups];

const companies = 20;

/** Number of reads to measure a share, and its tolerance in percent: over five standard deviations. */
const sample = 200;
const tolerance = 18;

const query = '/graphql?query={partner{name}}';
const compared = 'Both services have the same rows: companies branches partners items tags.';

const folder = await useFolder();
const sections = (await documentBlocks('takeover/README.md')).values();

/** The commands of the next section, which must have this heading. */
function next(heading: string): string {
  const section = sections.next().value;
  expect(section?.heading).toBe(heading);
  return section?.code ?? '';
}

describe.skipIf(lacks('initdb', 'psql', 'haproxy', 'socat'))('the commands of the guide, in order', () => {
  const cleanup = new AsyncDisposableStack();
  afterAll(() => cleanup.disposeAsync());
  let takeover: Awaited<ReturnType<typeof startOld>>;
  let service: ServiceProcess;
  let proxy: Awaited<ReturnType<typeof startProxy>>;
  type Written = Awaited<ReturnType<typeof proxy.write>>;
  let [updated, moved, third] = [] as Written[];
  beforeAll(async () => {
    takeover = await startOld(cleanup);
  });

  test('rehearse', async () => {
    const { run } = takeover;
    expect(await run(next('Find what the import rejects'))).toBe('file,id,column,error\n');
    const rehearsed = await run(next('Rehearse'));
    expect(rehearsed).toMatch(/^\d+ rows?: 0 added, 0 changed, 0 deleted$/m);
    expect(rehearsed.split(compared)).toHaveLength(3);
  });

  test('import the rows of the old service, and its tokens', async () => {
    const { run, env, tenants } = takeover;
    const exported = next('Export there');
    await mkdir(join(folder, 'bin'));
    await writeFile(join(folder, 'bin/psql'), "#!/bin/sh\necho 'psql (PostgreSQL) 11.22'\n", { mode: 0o755 });
    await expect(run(`export PATH="$PWD/bin:$PATH"\n${exported}`)).rejects.toThrow('Install psql 12 or newer');
    await run(exported);
    const imported = await run(next('Import here'));
    expect(imported).toMatch(/^249 rows: 249 added, 0 changed$/m);
    expect(imported).toMatch(/^22 rows: 22 added, 0 changed$/m);
    expect(imported).toContain(compared);
    const { DATABASE_URL, PORT } = env;
    service = cleanup.use(await startService({ DATABASE_URL, PORT, RATE_LIMIT: 'off', TRUST_PROXY: 'loopback' }));
    for (const { token, partnerName } of tenants) {
      const response = await fetch(service.url + query, { headers: { Authorization: `Bearer ${token}` } });
      expect(await response.json()).toEqual({ data: { partner: { name: partnerName } } });
    }
  });

  test('compare both services', async () => {
    const { run, planted } = takeover;
    const recorded = paths.flatMap((path) =>
      ['en', 'ar'].map((language) => ({ method: 'GET', path: v1 + path, headers: { 'Accept-Language': language } })),
    );
    await writeFile(join(folder, 'requests.jsonl'), recorded.map((line) => JSON.stringify(line)).join('\n'));
    const logged = paths.map((path) => `192.0.2.1 - - [21/Nov/2026:09:00:00 +0000] "GET ${v1}${path} HTTP/1.1" 200 12`);
    await writeFile(join(folder, 'access.log'), logged.join(' "-" "-"\n'));
    const compare = next('Compare');
    await expect(run(compare)).rejects.toThrow('2 of 10 requests differ, 0 failed.');
    expect(await readFile(join(folder, 'report.html'), 'utf8')).toContain('$.services');
    // Simulates that the old service's order was restored.
    planted.splice(0);
    await run(compare);
    await run(next('Shadow'));
  });

  test('shift reads', async () => {
    const { run } = takeover;
    const install = next('Put HAProxy in front');
    await expect(run(`unset BIND\n${install}`)).rejects.toThrow('Set BIND to an address that partners do not use');
    await run(install);
    proxy = await startProxy(cleanup, takeover, new URL(service.url).host);
    const { share } = proxy;
    expect(await share()).toBe(0);
    for (const command of next('Shift reads').trim().split('\n')) {
      expect(await run(command)).toMatch(/^reads \d+\nwrites old\n$/);
      expect(Math.abs((await share()) - Number(command.split(' ').at(-1)))).toBeLessThan(tolerance);
    }
  });

  test('move writes', async () => {
    const { run, env, db, tenants } = takeover;
    const { write } = proxy;
    const [{ products }] = tenants as [Tenant];
    const OLD_DATABASE_URL = env.OLD_DATABASE_URL as string;
    const gone = await write({ name_en: 'Gone', item_ids: products.slice(0, 1) });
    const first = await write({ name_en: 'Spicy', name_ar: 'حار', item_ids: products.slice(0, 2) });
    expect(first).toMatchObject({ status: 201, by: 'old' });
    const second = await write({ name_en: 'Sweet, "sour"' });
    expect(second).toMatchObject({ status: 201, by: 'old' });
    moved = second;

    const [hold = '', ...move] = next('Move writes').trim().split(' &&\n');
    await run(hold);
    expect(await write({ name_en: 'Late' })).toMatchObject({
      ...{ status: 503, by: 'new', retry: '5' },
      body: { code: 'service_unavailable' },
    });
    // An aborted attempt, repeated after further changes in the old service.
    await run(move.slice(0, -2).join(' &&\n'));
    const added = await createTenant(db);
    await execute(OLD_DATABASE_URL, `delete from product_tags where id = ${gone.body.id}`);
    await execute(OLD_DATABASE_URL, `delete from items where id = ${products.at(-1)}`);
    expect(await run(move.join(' &&\n'))).toContain(compared);
    const asAdded = { headers: { Authorization: `Bearer ${added.token}` } };
    expect((await fetch(service.url + query, asAdded)).status).toBe(200);
    const update = { name_en: 'Very spicy', item_ids: products.slice(1, 4) };
    updated = await write(update, first.body.id);
    expect(updated).toMatchObject({ status: 200, by: 'new', body: { ...update, id: first.body.id, name_ar: 'حار' } });
    third = await write({ name_en: 'Salty' });
    expect(third).toMatchObject({ status: 201, by: 'new', body: { id: second.body.id + 1 } });
  });

  test('reads go back; writes stay, and what has changed since they moved is listed', async () => {
    const { run, env, tenants } = takeover;
    const { share, remove } = proxy;
    await run(next('Roll back reads'));
    expect(await share()).toBe(0);
    for (const state of ['hold', 'old'])
      await expect(run(`bash takeover/takeover.sh writes ${state}`)).rejects.toThrow('Writes have moved');

    const [{ companyId, products }] = tenants as [Tenant];
    const before = await oldTags(env);
    await remove(moved?.body.id);
    await run(next('List what has changed here'));
    const [heading, ...lines] = (await readFile(join(folder, 'changed-tags.csv'), 'utf8')).trimEnd().split('\n');
    expect(heading).toBe('change,id,company_id,name_en,name_ar,item_ids');
    expect(lines.toSorted()).toEqual([
      `added,${third?.body.id},${companyId},Salty,,`,
      `changed,${updated?.body.id},${companyId},Very spicy,حار,${products.slice(1, 4).join(';')}`,
      `deleted,${moved?.body.id},${companyId},"Sweet, ""sour""",,`,
    ]);
    expect(await oldTags(env)).toEqual(before);
    await expect(run('bash takeover/changed-tags.sh none.csv')).rejects.toThrow('changed-tags.sh MOVED_TAGS_CSV');
    expect(sections.next().done).toBe(true);

    // HAProxy's state on its next start.
    expect(await readFile(env.TAKEOVER_MAP as string, 'utf8')).toBe('reads 0\nwrites new\n');
    await expect(run('bash takeover/takeover.sh reads 101')).rejects.toThrow('takeover.sh reads 0..100');
  });
});

/** The tags of the old service, and their links. */
async function oldTags({ OLD_DATABASE_URL = '' }: Record<string, string>) {
  const tags = await execute(OLD_DATABASE_URL, 'select * from legacy.labels order by id');
  return [tags.rows, (await execute(OLD_DATABASE_URL, 'select * from legacy.dish_labels order by 1, 2, 3')).rows];
}

/** Starts the old service; `run` runs commands of the guide with its variables. */
async function startOld(cleanup: AsyncDisposableStack) {
  const server = cleanup.use(await startInstalledPostgres());
  const OLD_DATABASE_URL = await createDatabase(server.url, 'old');
  const { db } = cleanup.use(await openDatabase({ DATABASE_URL: OLD_DATABASE_URL }));
  const tenants: Tenant[] = [];
  for (let company = 0; company < companies; company += 1) tenants.push(await createTenant(db));
  const [{ token }] = tenants as [Tenant];
  await db.insertInto('cuisineTypes').values({ id: 7001, nameEn: 'Najdi', nameAr: 'نجدي' }).execute();
  await renameTables(OLD_DATABASE_URL);
  const real = cleanup.use(await startService({ DATABASE_URL: OLD_DATABASE_URL, RATE_LIMIT: 'off' }));
  const planted = [inJson(`${v1}/services`, ({ services }) => services.reverse())];
  const old = cleanup.use(await startOldService(real.url, planted));

  await cp(join(root, 'deploy'), join(folder, 'deploy'), { recursive: true });
  await mkdir(join(folder, 'haproxy'));
  for (const name of ['new', 'scratch']) await execute(server.url, `create database ${name}`);
  const PORT = String(await freePort());
  const env: Record<string, string> = {
    OLD_URL: old.url,
    NEW_URL: `http://127.0.0.1:${PORT}`,
    OLD_DATABASE_URL,
    DATABASE_URL: databaseUrl(server.url, 'new'),
    SCRATCH_DATABASE_URL: databaseUrl(server.url, 'scratch'),
    ...{ OLD_TOKEN: token, NEW_TOKEN: token, PORT },
    HAPROXY_FOLDER: join(folder, 'haproxy'),
    TAKEOVER_MAP: join(folder, 'haproxy/takeover.map'),
    BIND: `127.0.0.1:${await freePort()}`,
  };
  await copyTakeover(folder);
  // The times of this service's tables have a time zone.
  await edit(join(folder, 'takeover/views.sql'), " at time zone 'UTC'", '');
  // The copy in the folder has no packages.
  const script = `'${process.execPath}' '${join(root, 'takeover/compare.ts')}'`;
  const run = (commands: string) =>
    runCommands(commands.replaceAll('npx node takeover/compare.ts', script), folder, env);
  return { db, env, old, planted, run, tenants };
}

/** Starts the HAProxy of the guide in front of both services. */
async function startProxy(
  cleanup: AsyncDisposableStack,
  { env, old, tenants: [tenant] }: Awaited<ReturnType<typeof startOld>>,
  replica: string,
) {
  const TAKEOVER_BIND = `127.0.0.1:${await freePort()}`;
  const replicas = { REPLICA_1: replica, REPLICA_2: replica, REPLICA_3: replica };
  const files = ['haproxy.cfg', 'takeover.cfg'].map((name) => join(folder, 'haproxy', name));
  const hosts = { ...replicas, OLD_SERVICE: new URL(old.url).host, TAKEOVER_BIND };
  const balancer = cleanup.use(await startHAProxy(files, hosts));
  await balancer.until('ready', 'replica1', 'replica2', 'replica3');
  env.HAPROXY_SOCKET = balancer.socket;
  // Bypasses the tests' client, which checks responses against this service's contract.
  const headers = { Authorization: `Bearer ${tenant?.token}`, 'Content-Type': 'application/json' };
  const send = (path: string, init = {}) => fetch(`http://${TAKEOVER_BIND}${v1}${path}`, { headers, ...init });
  return {
    /** The percentage of reads that the new service gets. */
    async share(): Promise<number> {
      old.requests.splice(0);
      for (let read = 0; read < sample; read += 1) {
        const response = await send(paths[read % paths.length] as string);
        expect([response.status, await response.text()]).toEqual([200, expect.stringContaining('{')]);
      }
      return 100 - (100 * old.requests.length) / sample;
    },
    /** Deletes a tag of this service, which REST cannot. */
    async remove(id: number) {
      const body = JSON.stringify({ query: `mutation { deleteProductTag(id: ${id}) { userErrors { code } } }` });
      const response = await fetch(`http://${TAKEOVER_BIND}/graphql`, { method: 'POST', headers, body });
      expect(await response.json()).toEqual({ data: { deleteProductTag: { userErrors: [] } } });
    },
    /** Creates or updates a tag with the old service's token; resolves to the response and the service that sent it. */
    async write(fields: object, id?: number) {
      old.requests.splice(0);
      const init = { method: id ? 'PUT' : 'POST', body: JSON.stringify(fields) };
      const response = await send(id ? `/product_tags/${id}` : '/product_tags', init);
      // biome-ignore lint/suspicious/noExplicitAny: a tag, or the load balancer's own response
      const body: any = await response.json();
      const by = old.requests.length > 0 ? 'old' : 'new';
      return { status: response.status, by, body, retry: response.headers.get('retry-after') };
    },
  };
}

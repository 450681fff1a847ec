import { readFileSync } from 'node:fs';
import type { PoolConfig } from 'pg';

// The driver would read `off` as on, and `prefer` as `verify-full`, with a warning.
const plain = ['disable', 'false', 'off', 'no', '0'];
const opportunistic = ['allow', 'prefer'];
const verified = ['require', 'verify-ca', 'verify-full', 'true', 'on', 'yes', '1'];

/** What a database URL must be; its parameters of TLS are invalid. */
export class TlsFormError extends Error {}

/** A database URL without its parameters of TLS, and what they mean for the driver. */
export type DatabaseServer = Pick<PoolConfig, 'connectionString' | 'ssl' | 'sslnegotiation'>;

/**
 * How to connect to the server of a URL, and what to try if that fails. Reads the certificate files, and PGSSLMODE for a
 * URL without a mode. Throws a TlsFormError, or the error of a file that cannot be read.
 */
export function parseServers(url: string): [DatabaseServer, fallback?: DatabaseServer] {
  const [address = '', query = ''] = url.split(/\?(.*)/s);
  const parameters = query.split('&').filter((parameter) => parameter !== '');
  const isTls = (parameter: string) => /^ssl/i.test(parameter);
  const connectionString = [address, parameters.filter((each) => !isTls(each)).join('&')].filter(Boolean).join('?');

  // A mode without a value is invalid: it must not mean a connection without TLS.
  const counts = ([name, value]: [string, string]) => value !== '' || /^ssl(?:mode)?$/i.test(name);
  const given = [...new URLSearchParams(parameters.filter(isTls).join('&'))].filter(counts);
  // The driver reads it, too, but not in other cases, and `prefer` as `verify-full`.
  const { PGSSLMODE } = process.env;
  if (given.length === 0 && !PGSSLMODE) return [{ connectionString }];
  const { sslmode, ssl, sslrootcert, sslcert, sslkey, sslnegotiation } = Object.fromEntries(
    given.map(([name, value]) => [name.toLowerCase(), value]),
  );
  const mode = (sslmode ?? ssl ?? (PGSSLMODE || 'require')).toLowerCase();
  if (![...plain, ...opportunistic, ...verified].includes(mode)) {
    const name = sslmode !== undefined ? 'sslmode' : ssl !== undefined ? 'ssl' : 'sslmode (now PGSSLMODE)';
    throw new TlsFormError(`${name} is disable, allow, prefer, require, verify-ca or verify-full`);
  }
  const withoutTls = { connectionString, ssl: false };
  if (plain.includes(mode)) return [withoutTls];

  const read = (name: string, path: string | undefined) => (path === undefined ? {} : { [name]: readFileSync(path) });
  // `system` means the authorities that Node knows.
  const authority = sslrootcert === 'system' ? undefined : sslrootcert;
  const files = { ...read('ca', authority), ...read('cert', sslcert), ...read('key', sslkey) };
  const negotiation = sslnegotiation ?? 'postgres';
  if (negotiation !== 'postgres' && negotiation !== 'direct')
    throw new TlsFormError('sslnegotiation is postgres or direct');
  const withTls = (rejectUnauthorized: boolean): DatabaseServer => ({
    connectionString,
    ssl: { ...files, rejectUnauthorized },
    sslnegotiation: negotiation,
  });
  return verified.includes(mode) ? [withTls(true)] : [withTls(false), withoutTls];
}

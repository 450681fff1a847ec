import { readFileSync } from 'node:fs';
import pg from 'pg';

const encoding =
  'a postgres:// URL whose user and password are percent-encoded: @ is %40, / is %2F, ? is %3F, # is %23 and % is %25';

const oneHost =
  'a postgres:// URL with one host, because the driver does not try several: for a primary with standbys, name a load ' +
  'balancer such as deploy/haproxy-postgres.cfg';

/** Parameters of libpq that the driver ignores, with the values that demand nothing. */
const ignoredParameters = new Map(
  Object.entries({
    channel_binding: /^(?:disable|prefer|)$/,
    gssencmode: /^(?:disable|prefer|)$/,
    require_auth: /^$/,
    requirepeer: /^$/,
    sslcrl: /^$/,
    sslcrldir: /^$/,
    ssl_min_protocol_version: /^$/,
    target_session_attrs: /^(?:any|)$/,
  }),
);

/** Returns what the URL must be; undefined if the driver can use it. */
export function checkDatabaseUrl(url: string): string | undefined {
  if (/^\s*["'`]/.test(url)) return 'a postgres:// URL without quotes around it';
  const [, authority, rest] = /^postgres(?:ql)?:\/\/([^/?#]*)(.*)$/s.exec(url) ?? [];
  if (authority === undefined || rest === undefined) return 'a postgres:// URL';
  if (authority.includes(',', authority.lastIndexOf('@')) || /[?&](?:host|port)=[^?&]*(?:,|%2C)/i.test(rest))
    return oneHost;
  // Otherwise a password with one of these characters would be read as host, database or parameter.
  if (/#|^[^?]*@|^[^=]*@/.test(rest)) return encoding;
  const parameters = [...new URLSearchParams(rest.split('?')[1])];
  const [parameter] = parameters.find(([name, value]) => ignoredParameters.get(name)?.test(value) === false) ?? [];
  if (parameter !== undefined) return `a postgres:// URL without ${parameter}, which the driver does not support`;
  try {
    // Reads the certificate files; does not connect.
    new pg.Client(parseServers(url)[0]);
    return undefined;
  } catch (error) {
    if (error instanceof TlsParameterError) return `a postgres:// URL whose ${error.message}`;
    const { syscall, message } = error as NodeJS.ErrnoException;
    if (syscall !== undefined) return `a postgres:// URL whose certificate files can be read: ${message}`;
    if (/@%2F/i.test(authority)) return 'a postgres:// URL that names the folder of a socket as ?host=/folder';
    const [, port = '0'] = /@(?:\[[^@\]]*\]|[^:@]*):([^@]*)$/.exec(authority) ?? [];
    return Number(port) <= 65_535 ? encoding : 'a postgres:// URL whose port is a number of at most 65535';
  }
}

// The driver would read `off` as on, and `prefer` as `verify-full`.
const plain = ['disable', 'false', 'off', 'no', '0'];
const opportunistic = ['allow', 'prefer'];
const verified = ['require', 'verify-ca', 'verify-full', 'true', 'on', 'yes', '1'];

class TlsParameterError extends Error {}

export type DatabaseServer = Pick<pg.PoolConfig, 'connectionString' | 'ssl' | 'sslnegotiation'>;

/** The server without TLS is the fallback of `allow` and `prefer`. Reads the certificate files, and PGSSLMODE. */
export function parseServers(url: string): [DatabaseServer, fallback?: DatabaseServer] {
  const [address = '', query = ''] = url.split(/\?(.*)/s);
  const parameters = query.split('&').filter((parameter) => parameter !== '');
  const isTls = (parameter: string) => /^ssl/i.test(parameter);
  const connectionString = [address, parameters.filter((parameter) => !isTls(parameter)).join('&')]
    .filter(Boolean)
    .join('?');

  // A mode without a value must not mean a connection without TLS.
  const isSet = ([name, value]: [string, string]) => value !== '' || /^ssl(?:mode)?$/i.test(name);
  const tlsParameters = [...new URLSearchParams(parameters.filter(isTls).join('&'))].filter(isSet);
  const { PGSSLMODE } = process.env;
  if (tlsParameters.length === 0 && !PGSSLMODE) return [{ connectionString }];
  const { sslmode, ssl, sslrootcert, sslcert, sslkey, sslnegotiation } = Object.fromEntries(
    tlsParameters.map(([name, value]) => [name.toLowerCase(), value]),
  );
  const mode = (sslmode ?? ssl ?? (PGSSLMODE || 'require')).toLowerCase();
  if (![...plain, ...opportunistic, ...verified].includes(mode)) {
    const name = sslmode !== undefined ? 'sslmode' : ssl !== undefined ? 'ssl' : 'sslmode (now PGSSLMODE)';
    throw new TlsParameterError(`${name} is disable, allow, prefer, require, verify-ca or verify-full`);
  }
  const withoutTls = { connectionString, ssl: false };
  if (plain.includes(mode)) return [withoutTls];

  const read = (name: string, path: string | undefined) => (path === undefined ? {} : { [name]: readFileSync(path) });
  // `system` means Node's own certificate authorities.
  const authority = sslrootcert === 'system' ? undefined : sslrootcert;
  const files = { ...read('ca', authority), ...read('cert', sslcert), ...read('key', sslkey) };
  const negotiation = sslnegotiation ?? 'postgres';
  if (negotiation !== 'postgres' && negotiation !== 'direct')
    throw new TlsParameterError('sslnegotiation is postgres or direct');
  const withTls = (rejectUnauthorized: boolean): DatabaseServer => ({
    connectionString,
    ssl: { ...files, rejectUnauthorized },
    sslnegotiation: negotiation,
  });
  return verified.includes(mode) ? [withTls(true)] : [withTls(false), withoutTls];
}

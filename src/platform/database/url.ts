import pg from 'pg';
import { parseServers, TlsFormError } from './tls.ts';

const encoding =
  'a postgres:// URL whose user and password are percent-encoded: @ is %40, / is %2F, ? is %3F, # is %23 and % is %25';

const oneHost =
  'a postgres:// URL with one host, because the driver does not try several: for a primary with standbys, name a proxy ' +
  'such as deploy/haproxy-postgres.cfg';

/** Parameters of PostgreSQL's own clients that the driver ignores, with the values that demand nothing. */
const ignored = new Map(
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

/** What a database URL must be, if the driver cannot use it; undefined if it can. */
export function formOfUrl(url: string): string | undefined {
  if (/^\s*["'`]/.test(url)) return 'a postgres:// URL without quotes around it';
  const [, authority, rest] = /^postgres(?:ql)?:\/\/([^/?#]*)(.*)$/s.exec(url) ?? [];
  if (authority === undefined || rest === undefined) return 'a postgres:// URL';
  if (authority.includes(',', authority.lastIndexOf('@')) || /[?&](?:host|port)=[^?&]*(?:,|%2C)/i.test(rest))
    return oneHost;
  // Otherwise a password with one of these characters would be read as host, database or parameter.
  if (/#|^[^?]*@|^[^=]*@/.test(rest)) return encoding;
  const parameters = [...new URLSearchParams(rest.split('?')[1])];
  const [demand] = parameters.find(([name, value]) => ignored.get(name)?.test(value) === false) ?? [];
  if (demand !== undefined) return `a postgres:// URL without ${demand}, which the driver cannot obey`;
  try {
    // Connects on demand only. Reads the files that the URL names.
    new pg.Client(parseServers(url)[0]);
    return undefined;
  } catch (error) {
    if (error instanceof TlsFormError) return `a postgres:// URL whose ${error.message}`;
    const { syscall, message } = error as NodeJS.ErrnoException;
    if (syscall !== undefined) return `a postgres:// URL whose certificate files can be read: ${message}`;
    if (/@%2F/i.test(authority)) return 'a postgres:// URL that names the folder of a socket as ?host=/folder';
    const [, port = '0'] = /@(?:\[[^@\]]*\]|[^:@]*):([^@]*)$/.exec(authority) ?? [];
    return Number(port) <= 65_535 ? encoding : 'a postgres:// URL whose port is a number of at most 65535';
  }
}

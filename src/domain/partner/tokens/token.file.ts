import { sql } from 'kysely';
import { hashToken, isToken } from '../../../kernel/token.ts';
import { id, name, optional, text, time } from '../../files/columns.ts';
import type { FileKind } from '../../files/file-kind.ts';

const row = {
  id: optional(id, 'a new token gets the next free one'),
  partner_id: id.describe('the partner that the token acts for'),
  label: optional(name(), 'what the token is for'),
  created_at: optional(time),
  expires_at: optional(time),
  revoked_at: optional(time),
  last_used_at: optional(time),
};

const expected = 'a bearer token of 16 to 512 characters (RFC 6750)';
const digits = '64 hexadecimal digits';
const isHash = (value: string) => /^[0-9a-f]{64}$/i.test(value);

/** Tokens of this service or another one. Each record has either `token` or `token_sha256`; only the hash is stored. */
export const tokenFile: FileKind = {
  file: 'tokens',
  table: 'partner_tokens',
  one: 'a token',
  columns: {
    ...row,
    token: text(isToken, expected).nullable().describe(`${expected}; only its hash is stored`),
    token_sha256: text(isHash, digits).nullable().describe(`in place of the token, its SHA-256 hash: ${digits}`),
  },
  isSecret: true,
  exported: { token: undefined, token_sha256: sql`token_hash` },
  written: [...Object.keys(row), 'token_hash'],
  references: { partner_id: { table: 'partners', one: 'partner' } },
  toRow({ token, token_sha256: hash, created_at, ...record }) {
    if ((token === null) === (hash === null)) return 'must have either token or token_sha256';
    const tokenHash = token === null ? String(hash).toLowerCase() : hashToken(String(token));
    return { ...record, created_at: created_at ?? new Date(), token_hash: tokenHash };
  },
  rules: [
    sql`select line, null, 'this token is on an earlier line already', format('this token is on line %s already', first)
      from (select line, min(line) over (partition by token_hash) as first from file where token_hash is not null) as each
      where line > first`,
    sql`select line, null, 'this token exists already', 'this token exists already'
      from file join partner_tokens using (token_hash) where file.id is distinct from partner_tokens.id`,
  ],
};

import { sql } from 'kysely';
import { hashToken, isToken } from '../../../kernel/token.ts';
import { id, name, text, time } from '../../files/columns.ts';
import type { FileKind } from '../../files/file-kind.ts';

const row = {
  id: id.nullable(),
  partner_id: id,
  label: name().nullable(),
  created_at: time.nullable(),
  expires_at: time.nullable(),
  revoked_at: time.nullable(),
  last_used_at: time.nullable(),
};

/** Tokens of this service or another one. Each record has either `token` or `token_sha256`; only the hash is stored. */
export const tokenFile: FileKind = {
  table: 'partner_tokens',
  one: 'a token',
  columns: {
    ...row,
    token: text(isToken, 'a bearer token of 16 to 512 characters (RFC 6750)').nullable(),
    token_sha256: text((value) => /^[0-9a-f]{64}$/i.test(value), '64 hexadecimal digits').nullable(),
  },
  exported: { token: undefined, token_sha256: sql`token_hash` },
  written: [...Object.keys(row), 'token_hash'],
  references: { partner_id: { table: 'partners', one: 'partner' } },
  toRow({ token, token_sha256: hash, created_at, ...record }) {
    if ((token === null) === (hash === null)) return 'must have either token or token_sha256';
    const tokenHash = token === null ? String(hash).toLowerCase() : hashToken(String(token));
    return { ...record, created_at: created_at ?? new Date(), token_hash: tokenHash };
  },
  rules: [
    sql`select line, null, format('this token is on line %s already', first)
      from (select line, min(line) over (partition by token_hash) as first from file) as each where line > first`,
    sql`select line, null, 'this token exists already'
      from file join partner_tokens using (token_hash) where file.id is distinct from partner_tokens.id`,
  ],
};

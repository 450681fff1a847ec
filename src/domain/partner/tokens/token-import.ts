import { sql } from 'kysely';
import { hashToken, isToken } from '../../../kernel/token.ts';
import { anyOf } from '../../../platform/database/any-of.ts';
import { type FileRecord, id, name, text } from '../../import/columns.ts';
import type { Mistakes } from '../../import/mistakes.ts';
import { advanceSequence, fileRows, type ImportOptions, inBatches, rejectRepeatedIds } from '../../import/rows.ts';
import type { Database } from '../../tables.ts';

const isDate = (value: string) => /^\d{4}-\d\d-\d\d/.test(value) && !Number.isNaN(Date.parse(value));

/** The columns of a file of tokens. Each row has either `token` or `token_sha256`. */
export const tokenFileColumns = {
  id: id.nullable(),
  partner_id: id,
  label: name().nullable(),
  expires_at: text(isDate, 'a date such as 2027-01-31 or 2027-01-31T12:00:00Z').nullable(),
  token: text(isToken, 'a bearer token of 16 to 512 characters (RFC 6750)').nullable(),
  token_sha256: text((value) => /^[0-9a-f]{64}$/i.test(value), '64 hexadecimal digits').nullable(),
};

/** Adds tokens in a transaction, only their hashes; throws before writing when there is any mistake. */
export async function importTokens(
  transaction: Database,
  records: FileRecord<typeof tokenFileColumns>[],
  mistakes: Mistakes,
  options: Pick<ImportOptions, 'dryRun' | 'onProgress'>,
): Promise<{ added: number }> {
  rejectRepeatedIds(records, mistakes);
  const rows = records.map(({ token, token_sha256, ...row }) => {
    if ((token === null) === (token_sha256 === null))
      mistakes.add({ line: row.line, message: 'must have either token or token_sha256' });
    return { ...row, token_hash: token === null ? (token_sha256 ?? '').toLowerCase() : hashToken(token) };
  });
  const partners = transaction.selectFrom('partners').select('id');
  const known = await partners.where('id', '=', anyOf(rows.map((row) => row.partner_id))).execute();
  const partnerIds = new Set(known.map((partner) => partner.id));
  const { rows: present } = await sql<{ id: number; tokenHash: string }>`select id, token_hash from partner_tokens
    where id = ${anyOf(rows.flatMap((row) => row.id ?? []))}
    or token_hash in (select token_hash from ${fileRows('partner_tokens', rows)})`.execute(transaction);
  const ids = new Set(present.map((token) => token.id));
  const hashes = new Set(present.map((token) => token.tokenHash));
  for (const { line, id, partner_id, token_hash } of rows) {
    if (!partnerIds.has(partner_id))
      mistakes.add({ line, column: 'partner_id', message: `there is no partner ${partner_id}` });
    if (id !== null && ids.has(id)) mistakes.add({ line, column: 'id', message: `${id} is a token already` });
    if (token_hash !== '' && hashes.has(token_hash)) mistakes.add({ line, message: 'this token exists already' });
    hashes.add(token_hash);
  }
  mistakes.ensureNone();
  if (options.dryRun) return { added: rows.length };

  // First, so that rows without an id come after those with one.
  await advanceSequence(transaction, 'partner_tokens', Math.max(0, ...rows.map((row) => row.id ?? 0)));
  await inBatches(rows, options, async (batch) => {
    await sql`insert into partner_tokens (id, partner_id, label, expires_at, token_hash)
      select coalesce(id, nextval(pg_get_serial_sequence('partner_tokens', 'id'))::integer),
        partner_id, label, expires_at, token_hash
      from ${fileRows('partner_tokens', batch)}`.execute(transaction);
  });
  return { added: rows.length };
}

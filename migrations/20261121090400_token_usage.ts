import type { Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('partner_tokens')
    .addColumn('last_used_at', 'timestamptz')
    .addColumn('label', 'text')
    .execute();
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('partner_tokens').dropColumn('last_used_at').dropColumn('label').execute();
}

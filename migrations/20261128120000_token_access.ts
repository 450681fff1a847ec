import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table partner_tokens
    add column access text not null default 'full' check (access in ('full', 'read_only'))`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`alter table partner_tokens drop column access`.execute(db);
}

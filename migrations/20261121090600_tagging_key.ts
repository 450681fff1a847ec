import { type Kysely, sql } from 'kysely';

// Company first, as in every statement: with the company's own index beside a key without it, PostgreSQL's generic plan
// for a tag's links read all of the company's. A tag is of one company, so the pair is as unique as it was.
export async function up(db: Kysely<unknown>): Promise<void> {
  await replaceKey(db, ['company_id', 'product_tag_id', 'item_id']);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await replaceKey(db, ['product_tag_id', 'item_id']);
}

async function replaceKey(db: Kysely<unknown>, columns: string[]): Promise<void> {
  await sql`alter table product_taggings drop constraint product_taggings_pkey,
    add constraint product_taggings_pkey primary key (${sql.join(columns.map((column) => sql.ref(column)))})`.execute(
    db,
  );
}

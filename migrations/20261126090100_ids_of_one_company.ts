import { type Kysely, sql } from 'kysely';

const tables = ['items', 'product_tags', 'branches'];

const shown = 20;

// Ids are unique across companies, also where an import with ids of its own runs beside a creation. An exclusion
// constraint on an expression, because PostgreSQL would prefer an index on the id alone to the primary keys, in 21 of 59
// statements. It needs no extension.
export async function up(db: Kysely<unknown>): Promise<void> {
  const duplicates = tables.map(
    (table) => sql`select format('%s %s (companies %s)', ${sql.lit(table)}, id, string_agg(company_id::text, ', '
        order by company_id)) as duplicate
      from ${sql.table(table)} group by id having count(*) > 1`,
  );
  await sql`do $$
    declare
      found text;
    begin
      select string_agg(duplicate, ', ') into found
      from (select * from (${sql.join(duplicates, sql` union all `)}) as each limit ${sql.lit(shown)}) as first;
      if found is not null then
        raise exception 'rows of several companies have the same id: %. Give them ids of their own, then migrate', found;
      end if;
    end
  $$`.execute(db);
  for (const table of tables) {
    await sql`alter table ${sql.table(table)} add constraint ${sql.id(`${table}_id`)} exclude using btree ((id + 0) with =)`.execute(
      db,
    );
  }
}

export async function down(db: Kysely<unknown>): Promise<void> {
  for (const table of tables) {
    await sql`alter table ${sql.table(table)} drop constraint ${sql.id(`${table}_id`)}`.execute(db);
  }
}

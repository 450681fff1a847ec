import { sql } from 'kysely';
import type { Database } from '../../src/domain/tables.ts';
import type { Answer, Client } from './client.ts';
import type { Tag } from './product-tag.ts';
import type { Tenant } from './tenant.ts';

/** Creates tags, updates each once, and records which must be stored. Items follow from the name, which shows partial writes. */
export class TagLedger {
  acknowledged = 0;
  readonly #client: Client;
  readonly #tenant: Tenant;
  /** Possible names of each acknowledged tag: from its last acknowledged write and from those after it. */
  readonly #names = new Map<number, Set<string>>();
  /** The tag that each worker has just created. */
  readonly #created = new Map<number, number>();
  #writes = 0;

  constructor(client: Client, tenant: Tenant) {
    this.#client = client;
    this.#tenant = tenant;
  }

  async write(worker: number): Promise<Answer<Tag>> {
    const id = this.#created.get(worker);
    this.#created.delete(worker);
    const name = `Tag ${this.#writes++}`;
    // An update may succeed even without a response.
    if (id !== undefined) this.#names.get(id)?.add(name);
    const [method, path] = id === undefined ? ['POST', '/product_tags'] : ['PUT', `/product_tags/${id}`];
    const body = { name_en: name, item_ids: this.#itemsOf(name) };
    const answer = await this.#client.rest<Tag>(method, path, { token: this.#tenant.token, body });
    if (answer.status >= 300) return answer;
    this.acknowledged++;
    this.#names.set(answer.body.id, new Set([name]));
    if (id === undefined) this.#created.set(worker, answer.body.id);
    return answer;
  }

  async findLost(db: Database): Promise<string[]> {
    const { rows } = await sql<{ id: number; nameEn: string; items: number[] }>`
      select id, name_en, array(select item_id from product_taggings where product_tag_id = id order by 1) as items
      from product_tags where company_id = ${this.#tenant.companyId}`.execute(db);
    const found = new Map(rows.map(({ id, nameEn }) => [id, nameEn]));
    const lost = [...this.#names]
      .filter(([id, names]) => !names.has(found.get(id) ?? ''))
      .map(([id, names]) => `tag ${id} is ${found.get(id) ?? 'missing'}, not ${[...names]}`);
    const halves = rows
      .filter(({ nameEn, items }) => items.join() !== this.#itemsOf(nameEn).join())
      .map(({ id, nameEn }) => `tag ${id}, ${nameEn}, does not have its items`);
    return [...lost, ...halves];
  }

  #itemsOf(name: string): number[] {
    const number = Number(name.split(' ')[1]);
    return this.#tenant.products.filter((_, index) => (number + index) % 3 !== 0);
  }
}

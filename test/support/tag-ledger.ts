import { sql } from 'kysely';
import type { Database } from '../../src/domain/tables.ts';
import type { Answer, Client } from './client.ts';
import type { Tag } from './product-tag.ts';
import type { Tenant } from './tenant.ts';

const updatesPerTag = 3;

/** Writes tags and records which must be stored. Items follow from the name, so a half-written tag shows. */
export class TagLedger {
  acknowledged = 0;
  readonly #client: Client;
  readonly #tenant: Tenant;
  /** Possible names of each acknowledged tag: from its last acknowledged write and from those after it. */
  readonly #names = new Map<number, Set<string>>();
  readonly #current = new Map<number, { id: number; updates: number }>();
  #writes = 0;

  constructor(client: Client, tenant: Tenant) {
    this.#client = client;
    this.#tenant = tenant;
  }

  write(worker: number): Promise<Answer<Tag>> {
    const number = this.#writes++;
    const current = this.#current.get(worker);
    if (current !== undefined && current.updates++ < updatesPerTag) return this.#update(current.id, number);
    this.#current.delete(worker);
    return this.#create(worker, number);
  }

  async findLost(db: Database): Promise<string[]> {
    const { rows } = await sql<{ id: number; nameEn: string; items: number[] }>`
      select id, name_en, array(select item_id from product_taggings where product_tag_id = id order by 1) as items
      from product_tags where company_id = ${this.#tenant.companyId}`.execute(db);
    const found = new Map(rows.map(({ id, nameEn }) => [id, nameEn]));
    const lost = [...this.#names]
      .filter(([id, names]) => !names.has(found.get(id) ?? ''))
      .map(([id, names]) => `tag ${id} is ${found.get(id) ?? 'gone'}, not ${[...names]}`);
    const halves = rows
      .filter(({ nameEn, items }) => items.join() !== this.#itemsOf(Number(nameEn.split(' ')[1])).join())
      .map(({ id, nameEn }) => `tag ${id}, ${nameEn}, has not its items`);
    return [...lost, ...halves];
  }

  async #create(worker: number, number: number): Promise<Answer<Tag>> {
    const answer = await this.#client.rest<Tag>('POST', '/product_tags', this.#requestOf(number));
    if (answer.status !== 201) return answer;
    this.acknowledged++;
    this.#names.set(answer.body.id, new Set([nameOf(number)]));
    this.#current.set(worker, { id: answer.body.id, updates: 0 });
    return answer;
  }

  async #update(id: number, number: number): Promise<Answer<Tag>> {
    // The write may have succeeded even without a response.
    this.#names.get(id)?.add(nameOf(number));
    const answer = await this.#client.rest<Tag>('PUT', `/product_tags/${id}`, this.#requestOf(number));
    if (answer.status !== 200) return answer;
    this.acknowledged++;
    this.#names.set(id, new Set([nameOf(number)]));
    return answer;
  }

  #requestOf(number: number) {
    return { token: this.#tenant.token, body: { name_en: nameOf(number), item_ids: this.#itemsOf(number) } };
  }

  #itemsOf(number: number): number[] {
    return this.#tenant.products.filter((_, index) => (number + index) % 3 !== 0);
  }
}

function nameOf(number: number): string {
  return `Tag ${number}`;
}

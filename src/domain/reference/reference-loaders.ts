import { type Locale, locales } from '../../kernel/localization/locale.ts';
import type { ReferenceBatch } from '../request/batches.ts';
import type { Database } from '../tables.ts';
import { citiesById, citiesInOrder } from './cities/city.queries.ts';
import { countriesById, countriesInOrder } from './countries/country.queries.ts';
import { applicationsInOrder, brandTypesInOrder, cuisineTypesInOrder } from './lookups/lookup.queries.ts';
import { servicesById, servicesInOrder } from './services/service.queries.ts';
import { timezonesInOrder } from './timezones/timezone.queries.ts';

type Row = { id: number };

type Loader<Key, Value> = { load(key: Key): Promise<Value> };

/** The queries of each list: as a whole, and by id if other rows reference its entries. */
const lists = {
  applications: [applicationsInOrder],
  brandTypes: [brandTypesInOrder],
  cities: [citiesInOrder, citiesById],
  countries: [countriesInOrder, countriesById],
  cuisineTypes: [cuisineTypesInOrder],
  services: [servicesInOrder, servicesById],
  timezones: [timezonesInOrder],
} satisfies Record<string, [ReferenceBatch<Locale, Row[]>, ReferenceBatch<number, Row | undefined>?]>;

type ListName = keyof typeof lists;

/** The loaders of one version of the reference data. All requests share them; none waits for the database. */
export class ReferenceLoaders {
  /** The number of entries of each list. */
  readonly lengths = {} as Record<ListName, number>;
  readonly #loaders = new Map<unknown, unknown>();

  /** Loads all lists, and all entries by id. */
  async fill(db: Database): Promise<void> {
    const fillList = async (name: ListName) => {
      const [inOrder, byId] = lists[name];
      const [rows = []] = await this.#fill<Locale, Row[]>(db, inOrder, locales);
      this.lengths[name] = rows.length;
      const ids = rows.map(({ id }) => id);
      if (byId !== undefined) await this.#fill<number, Row | undefined>(db, byId, ids);
    };
    await Promise.all((Object.keys(lists) as ListName[]).map(fillList));
  }

  /**
   * The loader of a batch of the lists above; undefined for an unknown id. Everything is loaded already: a DataLoader
   * would take a quarter of the time of a response with all cities and countries.
   */
  of<Key, Value>(batch: ReferenceBatch<Key, Value>): Loader<Key, Value> {
    return this.#loaders.get(batch) as Loader<Key, Value>;
  }

  async #fill<Key, Value>(db: Database, batch: ReferenceBatch<Key, Value>, keys: readonly Key[]): Promise<Value[]> {
    const values = await batch(db, { keys });
    const loaded = new Map(keys.map((key, index) => [key, Promise.resolve(values[index])]));
    this.#loaders.set(batch, { load: (key: Key) => loaded.get(key) ?? unknown });
    return values;
  }
}

const unknown = Promise.resolve(undefined);

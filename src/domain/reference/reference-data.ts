import type { Locale } from '../../kernel/localization/locale.ts';
import { sortByName } from '../../kernel/localization/localized-name.ts';
import type { Database } from '../tables.ts';

/** Every reference list at one version. */
type ReferenceLists = Awaited<ReturnType<typeof readLists>>;

async function readLists(db: Database) {
  const [countries, cityRows, timezones, services, brandTypes, cuisineTypes, applications] = await Promise.all([
    db.selectFrom('countries').select(['id', 'shortCode', 'dialCode', 'nameEn', 'nameAr']).execute(),
    db.selectFrom('cities').select(['id', 'countryId', 'nameEn', 'nameAr']).execute(),
    db.selectFrom('timezones').select(['id', 'name']).execute(),
    db.selectFrom('services').select(['id', 'code', 'nameEn', 'nameAr']).orderBy('id').execute(),
    db.selectFrom('brandTypes').select(['id', 'nameEn', 'nameAr']).orderBy('id').execute(),
    db.selectFrom('cuisineTypes').select(['id', 'nameEn', 'nameAr']).orderBy('id').execute(),
    // Applications are never translated.
    db.selectFrom('applications').select(['id', 'name as nameEn', 'name as nameAr']).orderBy('id').execute(),
  ]);
  const countriesById = byId(countries);
  const cities = cityRows.map((city) => ({ ...city, country: countriesById.get(city.countryId) }));
  return {
    countries: inEachLocale((locale) => {
      // Saudi Arabia first: sorting keeps the order of equals.
      return sortByName(countries, locale).sort((a, b) => Number(b.shortCode === 'SA') - Number(a.shortCode === 'SA'));
    }),
    countriesById,
    cities: inEachLocale((locale) => sortByName(cities, locale)),
    citiesById: byId(cities),
    // In the process: what order the database gives depends on its collation.
    timezones: timezones.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    services,
    servicesById: byId(services),
    brandTypes,
    cuisineTypes,
    applications,
  };
}

function byId<Row extends { id: number }>(rows: readonly Row[]): ReadonlyMap<number, Row> {
  return new Map(rows.map((row) => [row.id, row]));
}

function inEachLocale<Value>(valueIn: (locale: Locale) => Value): Record<Locale, Value> {
  return { en: valueIn('en'), ar: valueIn('ar') };
}

/**
 * The reference data that this process serves. All lists are read again when their version has changed; until that has
 * succeeded, and while the database is away, the last ones stay.
 */
export class ReferenceData {
  readonly #db: Database;
  #current: (ReferenceLists & { version: number }) | undefined;
  #seenAt = performance.now();
  #looking: Promise<void> | undefined;

  constructor(db: Database) {
    this.#db = db;
  }

  /** What a request reads from, from its begin to its end; another object after each change. Needs a first `refresh`. */
  get current(): ReferenceLists {
    return this.#current as ReferenceLists;
  }

  /** The version that is served, and the time since it was last compared with the database, in ms. */
  get state() {
    return { version: this.#current?.version, age: performance.now() - this.#seenAt };
  }

  /** Compares the version and reads the lists again when it has changed; calls during a comparison share it. */
  refresh(): Promise<void> {
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  // Between two equal versions nothing has changed, so the lists fit one another: no city lacks its country.
  async #look(): Promise<void> {
    let version = await getReferenceVersion(this.#db);
    while (version !== this.#current?.version) {
      const lists = { ...(await readLists(this.#db)), version };
      version = await getReferenceVersion(this.#db);
      if (version === lists.version) this.#current = lists;
    }
    this.#seenAt = performance.now();
  }
}

/** Whether there are countries; without any, the reference data was never loaded. */
export async function hasCountries(db: Database): Promise<boolean> {
  return (await db.selectFrom('countries').select('id').limit(1).executeTakeFirst()) !== undefined;
}

/** The version of the reference data; every change raises it. */
export async function getReferenceVersion(db: Database): Promise<number> {
  return (await db.selectFrom('referenceVersion').select('version').executeTakeFirstOrThrow()).version;
}

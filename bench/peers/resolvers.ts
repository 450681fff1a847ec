import { readFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import DataLoader from 'dataloader';
import { database } from './database.ts';
import { type Caller, findCaller, listCountries, listItems, listLookup, listTagsOfItems } from './queries.ts';

/** The service's own schema, so that all are asked the same. */
export const typeDefs = readFileSync(new URL('../../schema.graphql', import.meta.url), 'utf8');

export interface Context {
  authorization: string | undefined;
  locale: 'en' | 'ar';
}

/** What the service too has of a request, read in the plainest way. */
export function createContext(headers: IncomingHttpHeaders): Context {
  return {
    authorization: headers.authorization,
    locale: headers['accept-language']?.startsWith('ar') ? 'ar' : 'en',
  };
}

interface ItemKey {
  companyId: number;
  id: number;
}

export interface LoadingContext extends Context {
  tagsByItem: DataLoader<ItemKey, Awaited<ReturnType<typeof listTagsOfItems>>[number]>;
}

/** A context whose loader batches the tags of items, one loader a request. */
export function createLoadingContext(headers: IncomingHttpHeaders): LoadingContext {
  return {
    ...createContext(headers),
    tagsByItem: new DataLoader((items: readonly ItemKey[]) => listTagsOfItems(database, items)),
  };
}

interface Named {
  nameEn: string;
  nameAr: string;
}

const nameOf = (row: Named, { locale }: Context) => (locale === 'ar' ? row.nameAr : row.nameEn);

/** Resolvers of the fields that are asked for, but for `Item.tags`. */
export const resolvers = {
  Query: {
    async countries(_: unknown, _arguments: unknown, { locale }: Context) {
      const { compare } = collators[locale];
      const key = locale === 'ar' ? 'nameAr' : 'nameEn';
      const { first = [], others = [] } = Object.groupBy(await listCountries(database), (country) =>
        country.shortCode === 'SA' ? 'first' : 'others',
      );
      return [...first, ...others.toSorted((a, b) => compare(a[key], b[key]))];
    },
    lookups: () => ({}),
    viewer: (_: unknown, _arguments: unknown, { authorization }: Context) => findCaller(database, authorization),
  },
  Lookups: {
    brandTypes: (_: unknown, _arguments: unknown, context: Context) => listEntries('brandTypes', context),
    cuisineTypes: (_: unknown, _arguments: unknown, context: Context) => listEntries('cuisineTypes', context),
    services: (_: unknown, _arguments: unknown, context: Context) => listEntries('services', context),
    weekDays: (_: unknown, _arguments: unknown, { locale }: Context) => weekDays[locale],
  },
  Country: { name: (country: Named, _arguments: unknown, context: Context) => nameOf(country, context) },
  Viewer: {
    async items(caller: Caller, { first, after }: { first: number; after?: string }) {
      const [, id = 0] = after === undefined ? [] : Buffer.from(after, 'base64url').toString().split(':');
      const rows = await listItems(database, caller, { after: Number(id), limit: first + 1 });
      return { nodes: rows.slice(0, first) };
    },
  },
};

/** Resolvers with a DataLoader for `Item.tags`, where the server has no batching of its own. */
export const loadingResolvers = {
  ...resolvers,
  Item: {
    tags: (item: ItemKey, _arguments: unknown, { tagsByItem }: LoadingContext) => tagsByItem.load(item),
  },
};

async function listEntries(table: 'brandTypes' | 'cuisineTypes' | 'services', context: Context) {
  const rows = await listLookup(database, table);
  return rows.map((row) => ({ key: 'id', value: String(row.id), name: nameOf(row, context) }));
}

const collators = { en: new Intl.Collator('en'), ar: new Intl.Collator('ar') };

const weekDays = { en: listWeekDays('en'), ar: listWeekDays('ar') };

function listWeekDays(locale: Context['locale']) {
  const format = (language: string, day: number) =>
    new Intl.DateTimeFormat(language, { weekday: 'long', timeZone: 'UTC' }).format(Date.UTC(2023, 0, day));
  return [1, 2, 3, 4, 5, 6, 7].map((day) => ({
    key: 'week_day',
    value: format('en', day).toLowerCase(),
    name: format(locale, day),
  }));
}

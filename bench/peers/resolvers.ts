import { readFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import DataLoader from 'dataloader';
import { database } from './kysely.ts';
import { findCaller, listCountries, listItems, listTagsOfItems } from './queries.ts';

/** The service's schema, so that all servers get the same requests. */
export const typeDefs = readFileSync(new URL('../../schema.graphql', import.meta.url), 'utf8');

export interface Context {
  authorization: string | undefined;
}

export function createContext({ authorization }: IncomingHttpHeaders): Context {
  return { authorization };
}

interface ItemKey {
  companyId: number;
  id: number;
}

export interface LoadingContext extends Context {
  tagsByItem: DataLoader<ItemKey, Awaited<ReturnType<typeof listTagsOfItems>>[number]>;
}

/** A context with a loader that batches the tags of items. */
export function createLoadingContext(headers: IncomingHttpHeaders): LoadingContext {
  return {
    ...createContext(headers),
    tagsByItem: new DataLoader((items: readonly ItemKey[]) => listTagsOfItems(database, items)),
  };
}

const { compare } = new Intl.Collator('en');

/** Resolvers of the requested fields, except `Item.tags`. */
export const resolvers = {
  Query: {
    async countries() {
      const { first = [], others = [] } = Object.groupBy(await listCountries(database), (country) =>
        country.shortCode === 'SA' ? 'first' : 'others',
      );
      return [...first, ...others.toSorted((a, b) => compare(a.nameEn, b.nameEn))];
    },
    async items(
      _: unknown,
      { first, after, search }: { first: number; after?: string; search?: string },
      { authorization }: Context,
    ) {
      const caller = await findCaller(database, authorization);
      const [, id = 0] = after === undefined ? [] : Buffer.from(after, 'base64url').toString().split(':');
      const rows = await listItems(database, caller, { after: Number(id), limit: first + 1, search });
      return { nodes: rows.slice(0, first) };
    },
  },
  // The requests have no Accept-Language.
  Country: { name: (country: { nameEn: string }) => country.nameEn },
};

/** The same, with a DataLoader for `Item.tags`, for servers without batching of their own. */
export const loadingResolvers = {
  ...resolvers,
  Item: {
    tags: (item: ItemKey, _arguments: unknown, { tagsByItem }: LoadingContext) => tagsByItem.load(item),
  },
};

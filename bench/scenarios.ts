import type { Data } from './data.ts';
import type { ServerName } from './peers.ts';
import type { Request } from './wrk.ts';

export const scenarioIds = ['rest-countries', 'graphql-countries', 'graphql-item-pages', 'graphql-search'] as const;

/** Requests to measure on all servers side by side. */
export interface Scenario {
  id: (typeof scenarioIds)[number];
  title: string;
  headers: Record<string, string>;
  /** Sent in turn to the service and to peers with its schema. */
  requests: Request[];
  /** Peers that compute their responses; those with another schema have their own requests. */
  peers: Partial<Record<ServerName, 'same' | Question>>;
}

/** The equivalent requests for a peer with another schema. */
export interface Question {
  requests: Request[];
  /** Converts its response to the shape of the service's, if they differ. */
  toService?(answer: never): unknown;
}

const json = { 'content-type': 'application/json' };

export function listScenarios({ companyId, productIds, token }: Data): Scenario[] {
  const withToken = { ...json, authorization: `Bearer ${token}` };
  return [
    {
      id: 'rest-countries',
      title: 'REST: 249 countries',
      headers: {},
      requests: [{ method: 'GET', path: '/partner_portal/v1/countries' }],
      peers: {},
    },
    {
      id: 'graphql-countries',
      title: 'GraphQL: 249 countries of four fields',
      headers: json,
      requests: [graphql('{ countries { id nameEn nameAr name } }')],
      peers: {
        ...stockPeers,
        postgraphile: {
          requests: [graphql('{ countries: allCountries { nodes { id: rowId nameEn nameAr name: nameEn } } }')],
          toService: ({ countries }: { countries: Nodes<Country> }) => ({ countries: sortCountries(countries.nodes) }),
        },
      },
    },
    {
      // Each page begins one item after the one before it, so that concurrent requests differ.
      id: 'graphql-item-pages',
      title: 'GraphQL, with a token: 50 items with their tags, another page each time',
      headers: withToken,
      requests: productIds.slice(0, 100).map((id) =>
        graphql(`query ($after: String) { items(first: 50, after: $after) { ${taggedItems} } }`, {
          after: Buffer.from(`item:${id}`).toString('base64url'),
        }),
      ),
      peers: {
        ...stockPeers,
        // PostGraphile has other cursors.
        postgraphile: {
          requests: productIds.slice(0, 100).map((_, index) =>
            graphql(
              `query ($offset: Int) { companyByRowId(rowId: ${companyId}) {
                items: itemsByCompanyId(first: 50, offset: $offset) { ${itsTaggedItems} }
              } }`,
              { offset: index + 1 },
            ),
          ),
          toService: toItems,
        },
      },
    },
    {
      // No item has these texts, so each search reads all items of the company.
      id: 'graphql-search',
      title: 'GraphQL, with a token: a search in all items of the company that finds none, another text each time',
      headers: withToken,
      requests: productIds.slice(0, 100).map((id) =>
        graphql('query ($search: String) { items(search: $search) { nodes { id } } }', {
          search: `no name ${id}`,
        }),
      ),
      peers: stockPeers,
    },
  ];
}

const stockPeers = { apollo: 'same', mercurius: 'same', yoga: 'same' } as const;

const taggedItems = 'nodes { id nameEn tags { nodes { id nameEn } } }';

/** The same fields by PostGraphile's names. */
const itsTaggedItems = `nodes {
  id: rowId nameEn
  taggings: productTaggingsByCompanyIdAndItemIdAndItemType {
    nodes { tag: productTagByCompanyIdAndProductTagId { id: rowId nameEn } }
  }
}`;

function graphql(query: string, variables?: object): Request {
  const body = JSON.stringify({ query: query.replaceAll(/\s+/g, ' '), variables });
  return { method: 'POST', path: '/graphql', body };
}

interface Nodes<Node> {
  nodes: Node[];
}

interface Country {
  id: number;
  nameEn: string;
}

function sortCountries(countries: Country[]): Country[] {
  const { compare } = new Intl.Collator('en');
  const isFirst = ({ nameEn }: Country) => nameEn === 'Saudi Arabia';
  return countries.toSorted((a, b) => Number(isFirst(b)) - Number(isFirst(a)) || compare(a.nameEn, b.nameEn));
}

interface TaggedItem {
  id: number;
  nameEn: string;
  taggings: Nodes<{ tag: { id: number; nameEn: string } }>;
}

function toItems({ companyByRowId: { items } }: { companyByRowId: { items: Nodes<TaggedItem> } }) {
  return { items: { nodes: items.nodes.map(toItem) } };
}

function toItem({ taggings, ...item }: TaggedItem) {
  return { ...item, tags: { nodes: taggings.nodes.map(({ tag }) => tag) } };
}

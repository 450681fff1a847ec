import type { Data } from './data.ts';
import type { Request } from './load.ts';
import type { ServerName } from './peers.ts';

export const scenarioIds = [
  'rest-countries',
  'rest-lookups',
  'graphql-countries',
  'graphql-lookups',
  'graphql-items',
  'graphql-item-pages',
] as const;

/** A question that servers are asked side by side. */
export interface Scenario {
  id: (typeof scenarioIds)[number];
  title: string;
  headers: Record<string, string>;
  /** How the service is asked, and those who have its schema: one request after the other. */
  requests: Request[];
  /** Those asked besides the ones that send the service's bytes; where they are asked otherwise, how. */
  peers: Partial<Record<ServerName, 'same' | Question>>;
}

/** The natural equivalent for a peer of another schema. */
export interface Question {
  requests: Request[];
  /** Its answer to one in the shape of the service's. */
  toService(answer: never): unknown;
}

const json = { 'content-type': 'application/json' };

export function listScenarios({ companyId, productIds, token }: Data): Scenario[] {
  return [
    {
      id: 'rest-countries',
      title: 'REST: 249 countries',
      headers: {},
      requests: [{ method: 'GET', path: '/partner_portal/v1/countries' }],
      peers: {},
    },
    {
      id: 'rest-lookups',
      title: 'REST: four lookups',
      headers: {},
      requests: [
        {
          method: 'GET',
          path: '/partner_portal/v1/lookups?brand_types=-1&cuisine_types=-1&services=-1&week_days=1',
        },
      ],
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
      id: 'graphql-lookups',
      title: 'GraphQL: four lookups',
      headers: json,
      requests: [
        graphql(
          `{ lookups { ${['brandTypes(page: -1)', 'cuisineTypes(page: -1)', 'services(page: -1)', 'weekDays']
            .map((lookup) => `${lookup} { key value name }`)
            .join(' ')} } }`,
        ),
      ],
      peers: {
        ...stockPeers,
        // It has no week days, which are in no table: one list less to answer.
        postgraphile: {
          requests: [graphql(`{ ${lookups.map(([field, all]) => `${field}: ${all} { ${entry} }`).join(' ')} }`)],
          toService: (answer: Record<string, Nodes<{ value: number; name: string }>>) => ({
            lookups: { ...Object.fromEntries(lookups.map(([field]) => [field, toEntries(answer[field])])), weekDays },
          }),
        },
      },
    },
    {
      id: 'graphql-items',
      title: 'GraphQL, with a token: 50 items with their tags',
      headers: { ...json, authorization: `Bearer ${token}` },
      requests: [graphql(`{ viewer { items(first: 50) { ${taggedItems} } } }`)],
      peers: {
        ...stockPeers,
        postgraphile: {
          requests: [
            graphql(
              `{ companyByRowId(rowId: ${companyId}) { items: itemsByCompanyId(first: 50) { ${itsTaggedItems} } } }`,
            ),
          ],
          toService: toViewer,
        },
      },
    },
    {
      // Each request begins one item after the one before it, so that hardly any two that are asked at once are the same.
      id: 'graphql-item-pages',
      title: 'GraphQL, with a token: 50 items with their tags, another page each time',
      headers: { ...json, authorization: `Bearer ${token}` },
      requests: productIds.slice(0, pages).map((id) =>
        graphql(`query ($after: String) { viewer { items(first: 50, after: $after) { ${taggedItems} } } }`, {
          after: Buffer.from(`item:${id}`).toString('base64url'),
        }),
      ),
      peers: {
        ...stockPeers,
        // Its cursors are made otherwise.
        postgraphile: {
          requests: productIds.slice(0, pages).map((_, index) =>
            graphql(
              `query ($offset: Int) { companyByRowId(rowId: ${companyId}) {
                items: itemsByCompanyId(first: 50, offset: $offset) { ${itsTaggedItems} }
              } }`,
              { offset: index + 1 },
            ),
          ),
          toService: toViewer,
        },
      },
    },
  ];
}

const stockPeers = { apollo: 'same', mercurius: 'same', yoga: 'same' } as const;

const pages = 100;

const taggedItems = 'nodes { id nameEn tags { id nameEn } }';

/** As PostGraphile names them. */
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
  const rank = ({ id }: Country) => Number(id !== saudiArabia);
  return countries.toSorted((a, b) => rank(a) - rank(b) || compare(a.nameEn, b.nameEn));
}

const saudiArabia = 682;

const lookups = [
  ['brandTypes', 'allBrandTypes'],
  ['cuisineTypes', 'allCuisineTypes'],
  ['services', 'allServices'],
] as const;

const entry = 'nodes { value: rowId name: nameEn }';

function toEntries(list: Nodes<{ value: number; name: string }> | undefined) {
  return list?.nodes.map(({ value, name }) => ({ key: 'id', value: String(value), name }));
}

const weekDays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'].map((name) => ({
  key: 'week_day',
  value: name.toLowerCase(),
  name,
}));

interface TaggedItem {
  id: number;
  nameEn: string;
  taggings: Nodes<{ tag: { id: number; nameEn: string } }>;
}

function toViewer({ companyByRowId: { items } }: { companyByRowId: { items: Nodes<TaggedItem> } }) {
  return { viewer: { items: { nodes: items.nodes.map(toItem) } } };
}

function toItem({ taggings, ...item }: TaggedItem) {
  return { ...item, tags: taggings.nodes.map(({ tag }) => tag) };
}

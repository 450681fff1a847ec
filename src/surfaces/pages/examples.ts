import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Kind, parse, print } from 'graphql';
import { packageFolder } from '../../kernel/package.ts';
import { graphqlPath, restPath } from '../../kernel/request/surface-path.ts';
import type { Method } from '../../platform/http/routes.ts';
import { tagIdPlaceholder } from './placeholders.ts';
import type { Texts } from './texts.ts';

/** A request, with placeholders for ids of an earlier response. */
export interface Step {
  method: Method;
  path: string;
  body?: object;
  hasIdempotencyKey?: boolean;
}

export interface Operation extends Step {
  body: { query: string; variables: object };
}

const operations = Object.fromEntries(
  parse(readFileSync(join(packageFolder, 'dist/src/operations.graphql'), 'utf8')).definitions.map((definition) => [
    definition.kind === Kind.OPERATION_DEFINITION ? definition.name?.value : '',
    print(definition),
  ]),
);

const spicy = { nameEn: 'Spicy', nameAr: 'حار', itemIds: [1, 2] };
const verySpicy = { nameEn: 'Very spicy', nameAr: 'حار جدا', itemIds: [2, 3] };

export const tabs: Record<keyof Texts['tabs'], Operation> = {
  lookups: operation('Lookups'),
  countries: operation('Countries'),
  cities: operation('Cities', { countryId: 682 }),
  timezones: operation('Timezones'),
  services: operation('Services'),
  branches: operation('Branches'),
  items: operation('ItemsWithTags'),
  findItems: operation('FindItems', { search: 'kabsa', tagged: true }),
  item: operation('Item', { itemId: 1 }),
  tags: operation('Tags'),
  createTag: operation('CreateTag', { input: spicy }),
  tag: operation('Tag', { id: tagIdPlaceholder }),
  updateTag: operation('UpdateTag', { id: tagIdPlaceholder, input: verySpicy }),
  addTagItems: operation('AddTagItems', { id: tagIdPlaceholder, itemIds: [4] }),
  removeTagItems: operation('RemoveTagItems', { id: tagIdPlaceholder, itemIds: [4] }),
  deleteTag: operation('DeleteTag', { id: tagIdPlaceholder }),
};

/** @public */
export const schemaGuideOperations = [
  operation('ItemsByIds', { itemIds: [1, 2] }),
  operation('TagsByIds', { ids: [tagIdPlaceholder] }),
  operation('Timezone', { name: 'Asia/Calcutta' }),
];

export const examples: Record<keyof Texts['examples'], { rest: Step[]; graphql: Operation[]; needsToken?: boolean }> = {
  lookups: { rest: [get('/lookups?brand_types=1&week_days=1')], graphql: [tabs.lookups] },
  countries: { rest: [get('/countries')], graphql: [tabs.countries] },
  cities: { rest: [get('/cities?country_id=682')], graphql: [tabs.cities] },
  items: { needsToken: true, rest: [], graphql: [tabs.items] },
  tag: {
    needsToken: true,
    rest: [
      { method: 'POST', path: `${restPath}/product_tags`, body: toV1(spicy), hasIdempotencyKey: true },
      { method: 'PUT', path: `${restPath}/product_tags/${tagIdPlaceholder}`, body: toV1(verySpicy) },
    ],
    graphql: [tabs.createTag, tabs.updateTag],
  },
  error: { rest: [get('/lookups?brand_types=0')], graphql: [operation('InvalidPage')] },
};

export function fillTagId(step: Step, id: string): Step {
  return JSON.parse(JSON.stringify(step).replaceAll(`"${tagIdPlaceholder}"`, id).replace(tagIdPlaceholder, id));
}

function get(path: string): Step {
  return { method: 'GET', path: restPath + path };
}

function operation(name: string, variables = {}): Operation {
  return { method: 'POST', path: graphqlPath, body: { query: operations[name] ?? '', variables } };
}

function toV1({ nameEn, nameAr, itemIds }: typeof spicy): object {
  return { name_en: nameEn, name_ar: nameAr, item_ids: itemIds };
}

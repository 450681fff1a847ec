import { graphqlPath, restPath } from '../../kernel/request/surface-path.ts';
import {
  BranchesDocument,
  CitiesDocument,
  CountriesDocument,
  CreateTagDocument,
  DeleteTagDocument,
  InvalidPageDocument,
  ItemsWithTagsDocument,
  LookupsDocument,
  type TypedDocumentString,
  UpdateTagDocument,
} from './documents.generated.ts';
import type { Texts } from './texts.ts';

const saudiArabia = { countryId: 682 };
const spicy = { nameEn: 'Spicy', nameAr: 'حار', itemIds: [1, 2] };
const verySpicy = { nameEn: 'Very spicy', nameAr: 'حار جدا', itemIds: [2, 3] };

type Document = TypedDocumentString<unknown, never>;

/** The tabs of the explorer. The last two use the tags of the demo data. */
export const tabs: readonly { name: keyof Texts['tabs']; document: Document; variables?: object }[] = [
  { name: 'lookups', document: LookupsDocument },
  { name: 'countries', document: CountriesDocument },
  { name: 'cities', document: CitiesDocument, variables: saudiArabia },
  { name: 'branches', document: BranchesDocument },
  { name: 'items', document: ItemsWithTagsDocument },
  { name: 'createTag', document: CreateTagDocument, variables: { input: spicy } },
  { name: 'updateTag', document: UpdateTagDocument, variables: { id: 1, input: verySpicy } },
  { name: 'deleteTag', document: DeleteTagDocument, variables: { id: 2 } },
];

/** A request of the overview. `{id}` in it stands for the id in the response to the request before. */
export interface Step {
  method: 'GET' | 'POST' | 'PUT';
  path: string;
  body?: { query: string; variables?: object } | object;
  /** Whether it is sent with a new `Idempotency-Key` each time. */
  hasKey?: boolean;
}

export const surfaces = ['rest', 'graphql'] as const;
export type Surface = (typeof surfaces)[number];

/** A task of the overview, by the requests of each surface. REST v1 has no route for items. */
type Task = Record<Surface, Step[]> & { needsToken?: boolean };

export type TaskName = keyof Texts['tasks'];

export const tasks: Record<TaskName, Task> = {
  lookups: { rest: [get('/lookups?brand_types=1&week_days=1')], graphql: [operation(LookupsDocument)] },
  countries: { rest: [get('/countries')], graphql: [operation(CountriesDocument)] },
  cities: { rest: [get('/cities?country_id=682')], graphql: [operation(CitiesDocument, saudiArabia)] },
  items: { needsToken: true, rest: [], graphql: [operation(ItemsWithTagsDocument)] },
  tag: {
    needsToken: true,
    rest: [
      { method: 'POST', path: `${restPath}/product_tags`, body: inV1(spicy), hasKey: true },
      { method: 'PUT', path: `${restPath}/product_tags/{id}`, body: inV1(verySpicy) },
    ],
    graphql: [
      { ...operation(CreateTagDocument, { input: spicy }), hasKey: true },
      operation(UpdateTagDocument, { id: '{id}', input: verySpicy }),
    ],
  },
  error: { rest: [get('/lookups?brand_types=0')], graphql: [operation(InvalidPageDocument)] },
};

export const taskNames = Object.keys(tasks) as TaskName[];

/** Every task of every surface, in both languages. */
export const choices = surfaces.flatMap((surface) =>
  taskNames.flatMap((task) => (['en', 'ar'] as const).map((language) => ({ surface, task, language }))),
);

/** A request with the id of an earlier response in place of `{id}`. */
export function withId(step: Step, id: string): Step {
  return JSON.parse(JSON.stringify(step).replaceAll(/"\{id\}"|\{id\}/g, id));
}

/** A document as the pages show it. */
export function textOf(document: Document): string {
  return document.toString().trim();
}

function get(path: string): Step {
  return { method: 'GET', path: restPath + path };
}

function operation(document: Document, variables?: object): Step {
  return { method: 'POST', path: graphqlPath, body: { query: textOf(document), ...(variables && { variables }) } };
}

function inV1({ nameEn, nameAr, itemIds }: typeof spicy): object {
  return { name_en: nameEn, name_ar: nameAr, item_ids: itemIds };
}

import { graphqlPath, restPath } from '../../kernel/request/surface-path.ts';
import {
  AddTagItemsDocument,
  BranchesDocument,
  CitiesDocument,
  CountriesDocument,
  CreateTagDocument,
  DeleteTagDocument,
  FindItemsDocument,
  InvalidPageDocument,
  ItemsWithTagsDocument,
  LookupsDocument,
  RemoveTagItemsDocument,
  ServicesDocument,
  TagDocument,
  TagsDocument,
  TimezonesDocument,
  type TypedDocumentString,
  UpdateTagDocument,
} from './documents.generated.ts';
import type { Texts } from './texts.ts';

/** An example request. `{id}` stands for the id in the previous response. */
export interface Step {
  method: 'GET' | 'POST' | 'PUT';
  path: string;
  body?: object;
  /** Whether to send a new `Idempotency-Key` each time. */
  hasKey?: boolean;
}

export interface Operation extends Step {
  body: { query: string; variables: object };
}

const spicy = { nameEn: 'Spicy', nameAr: 'حار', itemIds: [1, 2] };
const verySpicy = { nameEn: 'Very spicy', nameAr: 'حار جدا', itemIds: [2, 3] };

/** The tabs of the explorer. In variables, id 0 stands for the last tag that the page created. */
export const tabs: Record<keyof Texts['tabs'], Operation> = {
  lookups: operation(LookupsDocument),
  countries: operation(CountriesDocument),
  cities: operation(CitiesDocument, { countryId: 682 }),
  timezones: operation(TimezonesDocument),
  services: operation(ServicesDocument),
  branches: operation(BranchesDocument),
  items: operation(ItemsWithTagsDocument),
  findItems: operation(FindItemsDocument, { search: 'kabsa', tagged: true }),
  tags: operation(TagsDocument),
  createTag: operation(CreateTagDocument, { input: spicy }),
  tag: operation(TagDocument, { id: 0 }),
  updateTag: operation(UpdateTagDocument, { id: 0, input: verySpicy }),
  addTagItems: operation(AddTagItemsDocument, { id: 0, itemIds: [4] }),
  removeTagItems: operation(RemoveTagItemsDocument, { id: 0, itemIds: [4] }),
  deleteTag: operation(DeleteTagDocument, { id: 0 }),
};

/** The examples of the overview for each API. REST v1 has no route for items. */
export const examples: Record<keyof Texts['examples'], { rest: Step[]; graphql: Operation[]; needsToken?: boolean }> = {
  lookups: { rest: [get('/lookups?brand_types=1&week_days=1')], graphql: [tabs.lookups] },
  countries: { rest: [get('/countries')], graphql: [tabs.countries] },
  cities: { rest: [get('/cities?country_id=682')], graphql: [tabs.cities] },
  items: { needsToken: true, rest: [], graphql: [tabs.items] },
  tag: {
    needsToken: true,
    rest: [
      { method: 'POST', path: `${restPath}/product_tags`, body: inV1(spicy), hasKey: true },
      { method: 'PUT', path: `${restPath}/product_tags/{id}`, body: inV1(verySpicy) },
    ],
    graphql: [{ ...tabs.createTag, hasKey: true }, operation(UpdateTagDocument, { id: '{id}', input: verySpicy })],
  },
  error: { rest: [get('/lookups?brand_types=0')], graphql: [operation(InvalidPageDocument)] },
};

/** Every example of every API, in both languages. */
export const choices = (['rest', 'graphql'] as const).flatMap((api) =>
  (Object.keys(examples) as (keyof typeof examples)[]).flatMap((example) =>
    (['en', 'ar'] as const).map((language) => ({ api, example, language })),
  ),
);

/** Replaces `{id}` in a request. */
export function withId<Request extends Step>(step: Request, id: string): Request {
  return JSON.parse(JSON.stringify(step).replaceAll(/"\{id\}"|\{id\}/g, id));
}

function get(path: string): Step {
  return { method: 'GET', path: restPath + path };
}

function operation(document: TypedDocumentString<unknown, never>, variables = {}): Operation {
  return { method: 'POST', path: graphqlPath, body: { query: document.toString().trim(), variables } };
}

function inV1({ nameEn, nameAr, itemIds }: typeof spicy): object {
  return { name_en: nameEn, name_ar: nameAr, item_ids: itemIds };
}

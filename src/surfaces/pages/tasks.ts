import type { Locale } from '../../kernel/localization/locale.ts';
import { restPath } from '../../kernel/request/surface-path.ts';

/** The documents of the explorer and of the overview. */
export const documents = {
  lookups: `query Lookups {
  lookups {
    brandTypes(page: 1) {
      value
      name
    }
    weekDays {
      value
      name
    }
  }
}`,
  countries: `query Countries {
  countries {
    id
    name
    nameEn
    nameAr
  }
}`,
  cities: `query Cities($countryId: Int) {
  cities(countryId: $countryId) {
    id
    name
  }
}`,
  branches: `query Branches {
  viewer {
    company {
      name
      branches {
        id
        name
        address {
          line
          city {
            name
          }
          country {
            nameEn
            nameAr
            dialCode
            shortCode
          }
        }
        services {
          name
        }
      }
    }
  }
}`,
  items: `query ItemsWithTags {
  viewer {
    items(first: 10, itemType: PRODUCT) {
      nodes {
        id
        name
        tags {
          id
          name
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
}`,
  createTag: `mutation CreateTag($input: CreateProductTagInput!) {
  createProductTag(input: $input) {
    productTag {
      id
      name
      itemIds
    }
    userErrors {
      code
      message
    }
  }
}`,
  updateTag: `mutation UpdateTag($id: Int!, $input: UpdateProductTagInput!) {
  updateProductTag(id: $id, input: $input) {
    productTag {
      id
      name
      itemIds
    }
    userErrors {
      code
      message
    }
  }
}`,
  deleteTag: `mutation DeleteTag($id: Int!) {
  deleteProductTag(id: $id) {
    deletedProductTagId
    userErrors {
      code
      message
    }
  }
}`,
  error: `query InvalidPage {
  lookups {
    brandTypes(page: 0) {
      name
    }
  }
}`,
};

interface Tab {
  names: Record<Locale, string>;
  document: string;
  variables?: object;
  /** In place of the page's language. */
  language?: Locale;
}

const saudiArabia = 682;
const spicy = { nameEn: 'Spicy', nameAr: 'حار', itemIds: [1, 2] };
const verySpicy = { nameEn: 'Very spicy', nameAr: 'حار جدا', itemIds: [2, 3] };

/** The tabs of the explorer. The last two use the tags of the demo data. */
export const tabs: readonly Tab[] = [
  { names: { en: 'Lookups', ar: 'القوائم' }, document: documents.lookups },
  { names: { en: 'Countries in Arabic', ar: 'الدول' }, document: documents.countries, language: 'ar' },
  { names: { en: 'Cities', ar: 'المدن' }, document: documents.cities, variables: { countryId: saudiArabia } },
  { names: { en: 'Branches', ar: 'الفروع' }, document: documents.branches },
  { names: { en: 'Items', ar: 'الأصناف' }, document: documents.items },
  { names: { en: 'Create tag', ar: 'إنشاء وسم' }, document: documents.createTag, variables: { input: spicy } },
  {
    names: { en: 'Update tag', ar: 'تعديل وسم' },
    document: documents.updateTag,
    variables: { id: 1, input: verySpicy },
  },
  { names: { en: 'Delete tag', ar: 'حذف وسم' }, document: documents.deleteTag, variables: { id: 2 } },
];

/** A request of the overview. `{id}` in it stands for the id in the response to the request before. */
export interface Step {
  method: 'GET' | 'POST' | 'PUT';
  path: string;
  headers?: Record<string, string>;
  body?: { query: string; variables?: object } | object;
}

export const surfaces = ['rest', 'graphql'] as const;
export type Surface = (typeof surfaces)[number];

interface Task {
  names: Record<Locale, string>;
  needsToken?: boolean;
  /** Empty where REST v1 has no such route. */
  rest: Step[];
  graphql: Step[];
}

const get = (path: string): Step => ({ method: 'GET', path: restPath + path });
const post = (query: string, variables?: object, headers?: Record<string, string>): Step => ({
  method: 'POST',
  path: '/graphql',
  ...(headers && { headers }),
  body: { query, ...(variables && { variables }) },
});

/** The six tasks of the overview. */
const tasks = {
  lookups: {
    names: { en: 'Fill dropdowns', ar: 'ملء القوائم المنسدلة' },
    rest: [get('/lookups?brand_types=1&week_days=1')],
    graphql: [post(documents.lookups)],
  },
  countries: {
    names: { en: 'List countries', ar: 'عرض الدول' },
    rest: [get('/countries')],
    graphql: [post(documents.countries)],
  },
  cities: {
    names: { en: 'Cities of a country', ar: 'مدن دولة' },
    rest: [get(`/cities?country_id=${saudiArabia}`)],
    graphql: [post(documents.cities, { countryId: saudiArabia })],
  },
  items: {
    names: { en: 'Items with their tags', ar: 'الأصناف ووسومها' },
    needsToken: true,
    rest: [],
    graphql: [post(documents.items)],
  },
  tag: {
    names: { en: 'Create and update a tag', ar: 'إنشاء وسم وتعديله' },
    needsToken: true,
    rest: [
      {
        method: 'POST',
        path: `${restPath}/product_tags`,
        // Each further run returns the tag of the first.
        headers: { 'Idempotency-Key': 'overview-rest' },
        body: { name_en: spicy.nameEn, name_ar: spicy.nameAr, item_ids: spicy.itemIds },
      },
      {
        method: 'PUT',
        path: `${restPath}/product_tags/{id}`,
        body: { name_en: verySpicy.nameEn, name_ar: verySpicy.nameAr, item_ids: verySpicy.itemIds },
      },
    ],
    graphql: [
      post(documents.createTag, { input: spicy }, { 'Idempotency-Key': 'overview-graphql' }),
      post(documents.updateTag, { id: '{id}', input: verySpicy }),
    ],
  },
  error: {
    names: { en: 'An error', ar: 'خطأ' },
    rest: [get('/lookups?brand_types=0')],
    graphql: [post(documents.error)],
  },
} satisfies Record<string, Task>;

export type TaskName = keyof typeof tasks;
export const taskNames = Object.keys(tasks) as TaskName[];

export function getTask(name: TaskName): Task {
  return tasks[name];
}

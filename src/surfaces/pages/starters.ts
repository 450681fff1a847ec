import type { Locale } from '../../kernel/localization/locale.ts';
import {
  BranchesDocument,
  CountriesInArabicDocument,
  CreateTagDocument,
  ItemsWithTagsDocument,
  LookupsDocument,
  type TypedDocumentString,
  UpdateTagDocument,
} from './documents.generated.ts';

/** A document to start from, with what it needs to run; the last two write. */
export interface Starter {
  document: string;
  variables: Record<string, unknown>;
  /** Headers of its own, besides the caller's. */
  headers?: Record<string, string>;
}

/** In the order of the explorer's tabs; the first opens in the Sandbox. */
export const starters: readonly Starter[] = [
  starter(LookupsDocument, {}),
  { ...starter(CountriesInArabicDocument, {}), headers: { 'Accept-Language': 'ar' satisfies Locale } },
  starter(BranchesDocument, {}),
  starter(ItemsWithTagsDocument, {}),
  // The demo partner's products; in an empty database the first tag has the id 1.
  starter(CreateTagDocument, { input: { nameEn: 'Spicy', nameAr: 'حار جدا', itemIds: [1, 2] } }),
  starter(UpdateTagDocument, { id: 1, input: { nameEn: 'Very spicy', itemIds: [2, 3] } }),
];

function starter<Data, Variables extends Record<string, unknown>>(
  document: TypedDocumentString<Data, Variables>,
  variables: Variables,
): Starter {
  return { document: `${document.toString().trim()}\n`, variables };
}

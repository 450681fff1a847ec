import type { FileKind } from './files/file-kind.ts';
import { branchFile } from './partner/companies/branches.ts';
import { companyFile } from './partner/companies/companies.ts';
import { itemFile } from './partner/items/items.file.ts';
import { partnerFile } from './partner/partners/partners.ts';
import { productTagFile } from './partner/product-tags/product-tags.file.ts';
import { tokenFile } from './partner/tokens/tokens.ts';
import { fileOf, referenceListNames } from './reference/lists.ts';

/** The files that operators import and export, each after those that it refers to. */
export const fileKinds: Record<string, FileKind> = {
  ...Object.fromEntries(referenceListNames.map((list) => [list, fileOf(list)])),
  companies: companyFile,
  branches: branchFile,
  partners: partnerFile,
  tokens: tokenFile,
  items: itemFile,
  tags: productTagFile,
};

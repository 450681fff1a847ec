import type { FileFormat } from './files/file-format.ts';
import { branchFile } from './partner/companies/branches.ts';
import { companyFile } from './partner/companies/companies.ts';
import { itemFile } from './partner/items/items.file.ts';
import { partnerFile } from './partner/partners/partners.ts';
import { productTagFile } from './partner/product-tags/product-tags.file.ts';
import { tokenFile } from './partner/tokens/tokens.ts';
import { referenceListNames, toFileFormat } from './reference/lists.ts';

/** In import order: a file follows the files that it refers to. */
export const fileFormats: Record<string, FileFormat> = {
  ...Object.fromEntries(referenceListNames.map((list) => [list, toFileFormat(list)])),
  companies: companyFile,
  branches: branchFile,
  partners: partnerFile,
  tokens: tokenFile,
  items: itemFile,
  tags: productTagFile,
};

import { branchFile } from './companies/branches.ts';
import { companyFile } from './companies/companies.ts';
import { items } from './items/items.ts';
import { partnerFile } from './partners/partners.ts';
import { productTags } from './product-tags/product-tags.ts';
import { tokenFile } from './tokens/tokens.ts';

/** The lists of a company, each after those that it references. */
export const companyLists = [items, productTags];

/** The files of tenants in the order of import. */
export const tenantFiles = [companyFile, branchFile, partnerFile, tokenFile, ...companyLists.map(({ file }) => file)];

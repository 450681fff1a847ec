import type { z } from 'zod';
import { id, names, oneOf, optional } from '../../files/columns.ts';
import type { Items } from '../../tables.generated.ts';
import { itemTypes } from '../../tables.ts';

const { name_en: nameEn, name_ar: nameAr } = names();

/** The columns of items in files, except for the company, in their order. */
export const itemCells = {
  id: optional(id, 'a new item gets the next free one; without an id, it must differ from existing items'),
  itemType: oneOf(itemTypes),
  nameEn,
  nameAr,
} satisfies Partial<Record<keyof Items, z.ZodType>>;

/** The columns that every list of items reads. */
export const itemColumns = Object.keys(itemCells) as (keyof typeof itemCells)[];

import { messageOf } from '../../../../kernel/errors/catalog.ts';
import { faultOfName, nameLength, normalizeName } from '../../../../kernel/localization/name.ts';
import { type ItemTypeValue, itemTypes } from '../item.table.ts';
import type { ItemColumn, ItemHeading } from './item-heading.ts';

/** Beyond are ids for the database to give. */
const maxId = 2_000_000_000;

/** An item as a row of a file has it; without an id it gets the next free one. */
export interface ItemRecord {
  id: number | null;
  itemType: ItemTypeValue;
  nameEn: string;
  nameAr: string;
}

/** Reads a row by the rules that items have, telling every cell that breaks one; undefined when any does. */
export function readRow(
  heading: ItemHeading,
  cells: string[],
  refuse: (column: ItemColumn, message: string) => void,
): ItemRecord | undefined {
  let isValid = true;
  const check = <Value>(column: ItemColumn, value: Value, fault: string | undefined) => {
    if (fault !== undefined) {
      isValid = false;
      refuse(column, fault);
    }
    return value;
  };
  const cell = (index: number | undefined) => (index === undefined ? '' : normalizeName(cells[index] ?? ''));
  const id = cell(heading.id);
  const itemType = cell(heading.item_type);
  const nameEn = cell(heading.name_en);
  const nameAr = cell(heading.name_ar);
  const row = {
    id: check('id', id === '' ? null : Number(id), faultOfId(id)),
    itemType: check('item_type', itemType as ItemTypeValue, faultOfType(itemType)),
    nameEn: check('name_en', nameEn, faultOf(nameEn)),
    nameAr: check('name_ar', nameAr, faultOf(nameAr)),
  };
  return isValid ? row : undefined;
}

function faultOfId(text: string): string | undefined {
  if (text === '' || (/^\d{1,10}$/.test(text) && Number(text) >= 1 && Number(text) <= maxId)) return undefined;
  return `must be a whole number from 1 to ${maxId}, or empty`;
}

function faultOfType(text: string): string | undefined {
  if (itemTypes.some((type) => type === text)) return undefined;
  return text === ''
    ? messageOf('required', 'en')
    : `must be ${itemTypes.slice(0, -1).join(', ')} or ${itemTypes.at(-1)}`;
}

function faultOf(name: string): string | undefined {
  if (name === '') return messageOf('required', 'en');
  const fault = faultOfName(name, nameLength);
  if (fault === undefined) return undefined;
  if (name.includes('\uFFFD')) return 'is not in UTF-8: save the file in that encoding';
  return messageOf(fault, 'en', { ...nameLength });
}

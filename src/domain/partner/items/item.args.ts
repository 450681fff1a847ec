import { ArgsType, Field } from 'type-graphql';
import { AppError } from '../../../kernel/errors/app-error.ts';
import { faultOfName, normalizeName } from '../../../kernel/localization/name.ts';
import { PageArgs } from '../../request/connection.ts';
import type { ItemTypeValue } from '../../tables.ts';
import { ItemType } from './item.object.ts';
import type { ItemFilter } from './item.queries.ts';

const searchLength = { min: 2, max: 50 };

@ArgsType()
export class ItemArgs extends PageArgs {
  @Field(() => ItemType, { nullable: true, description: 'Only items of this type.' })
  itemType?: ItemTypeValue | null;

  @Field(() => String, {
    nullable: true,
    description:
      'Only items with this text in their English or Arabic name, ignoring case: 2 to 50 characters after trimming ' +
      '(BAD_USER_INPUT otherwise). There are no wildcards.',
  })
  search?: string | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'True: only items with a tag. False: only products without a tag.',
  })
  tagged?: boolean | null;
}

/** Throws `invalid_parameter` if the search text is too short, or no name can contain it. */
export function itemFilterOf({ itemType = null, search, tagged = null }: ItemArgs): ItemFilter {
  if (search == null) return { itemType, search: null, tagged };
  const text = normalizeName(search);
  if (faultOfName(text, searchLength) !== undefined)
    throw new AppError('invalid_parameter', { values: { parameter: 'search', expected: 'searchText' } });
  return { itemType, search: text, tagged };
}

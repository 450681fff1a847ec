import { Field, ObjectType } from 'type-graphql';

@ObjectType({ simpleResolvers: true, description: 'Where a company or a branch is.' })
export class Address {
  @Field(() => String, { nullable: true, description: 'Street, building and the like; null when unset.' })
  line!: string | null;

  cityId!: number;
}

/** The address of a row that has one. */
export function addressOf(row: { addressLine: string | null; cityId: number }): Address {
  return { line: row.addressLine, cityId: row.cityId };
}

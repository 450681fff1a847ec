import { Field, ObjectType } from 'type-graphql';

@ObjectType({
  simpleResolvers: true,
  description: 'The reference lists of dropdowns. Select the lists you want; only those are read.',
})
export class Lookups {}

@ObjectType({ simpleResolvers: true, description: 'One entry of a lookup.' })
export class LookupEntry {
  @Field(() => String, { description: 'The literal "id" for lists of records; "week_day" for week days.' })
  key!: string;

  @Field(() => String, { description: 'The id of the record as a string; the lowercase English day for week days.' })
  value!: string;

  @Field(() => String, { description: 'Name in the language of the request. Applications are never translated.' })
  name!: string;
}

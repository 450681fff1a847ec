import { readFileSync } from 'node:fs';
import { buildSchema, type GraphQLEnumType, type GraphQLField, getNullableType, isListType } from 'graphql';

/** The schema of schema.graphql: tests name operations, arguments and types by it, not by the sources. */
export const schema = buildSchema(readFileSync(new URL('../../schema.graphql', import.meta.url), 'utf8'));

export type Field = GraphQLField<unknown, unknown>;

export const queries: Field[] = Object.values(schema.getQueryType()?.getFields() ?? {});
export const mutations: Field[] = Object.values(schema.getMutationType()?.getFields() ?? {});

/** Whether a query is of reference data, which everybody may read by default. */
export const isReference = ({ astNode }: Field): boolean =>
  astNode?.directives?.some((directive) => directive.name.value === 'reference') ?? false;

const lookupKeys = schema.getType('LookupKey') as GraphQLEnumType;

/** The lookups that are tables, by their names. */
export const lookupTables = lookupKeys
  .getValues()
  .map(({ name }) => name.toLowerCase())
  .filter((name) => name !== 'week_days');

const ownLists = queries.filter((field) => isReference(field) && isListType(getNullableType(field.type)));

/** The tables of reference data. */
export const referenceTables = [
  ...new Set([...ownLists.map(({ name }) => name).filter((name) => name !== 'lookups'), ...lookupTables]),
];

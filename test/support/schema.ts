import { readFileSync } from 'node:fs';
import { buildSchema, type GraphQLField } from 'graphql';

/** The schema of schema.graphql: tests name operations, arguments and types by it, not by the sources. */
export const schema = buildSchema(readFileSync(new URL('../../schema.graphql', import.meta.url), 'utf8'));

export type Field = GraphQLField<unknown, unknown>;

export const queries: Field[] = Object.values(schema.getQueryType()?.getFields() ?? {});
export const mutations: Field[] = Object.values(schema.getMutationType()?.getFields() ?? {});

/** Whether a query is of reference data, which everybody may read by default. */
export const isReference = ({ astNode }: Field): boolean =>
  astNode?.directives?.some((directive) => directive.name.value === 'reference') ?? false;

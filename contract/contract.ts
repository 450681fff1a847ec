import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSchema, type IntrospectionQuery, introspectionFromSchema } from 'graphql';
import { parse } from 'yaml';

export interface Contract {
  /** REST v1 without its texts and examples, which may change. */
  openapi: unknown;
  schema: IntrospectionQuery;
}

/** The contract that the sources of a folder describe. */
export function readContract(folder: string): Contract {
  const read = (file: string) => readFileSync(join(folder, file), 'utf8');
  const { info: _info, tags: _tags, ...openapi } = parse(read('openapi.yaml'));
  const schema = introspectionFromSchema(buildSchema(read('schema.graphql')), { descriptions: false });
  return { openapi: withoutTexts(openapi), schema };
}

/** Where the last release keeps its contract. */
export const releasedFile = (folder: string) => join(folder, 'contract/released.json');

const texts = ['title', 'summary', 'description', 'example', 'examples'];

// Below `properties`, keys are names of fields.
function withoutTexts(value: unknown, name?: string): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((each) => withoutTexts(each));
  const entries = Object.entries(value).filter(([key]) => name === 'properties' || !texts.includes(key));
  return Object.fromEntries(entries.map(([key, each]) => [key, withoutTexts(each, key)]));
}

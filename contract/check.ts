import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSchema, DangerousChangeType, findBreakingChanges, findDangerousChanges } from 'graphql';
import { parse } from 'yaml';

// Compares the project in the given or current folder with its last release: REST v1 is frozen, GraphQL may grow.
const [folder = '.'] = process.argv.slice(2);
const readBoth = (file: string) =>
  [`contract/released/${file}`, file].map((path) => readFileSync(join(folder, path), 'utf8')) as [string, string];

const texts = ['title', 'summary', 'description', 'example', 'examples'];
const changes = [...graphqlChanges(...readBoth('schema.graphql')), ...restChanges(...readBoth('openapi.yaml'))];
for (const change of changes) console.error(change);
if (changes.length > 0) process.exitCode = 1;

function graphqlChanges(released: string, current: string): string[] {
  const [was, is] = [buildSchema(released), buildSchema(current)];
  const harmless: string[] = [DangerousChangeType.OPTIONAL_ARG_ADDED, DangerousChangeType.OPTIONAL_INPUT_FIELD_ADDED];
  const dangerous = findDangerousChanges(was, is).filter(({ type }) => !harmless.includes(type));
  return [...findBreakingChanges(was, is), ...dangerous].map(({ description }) => `GraphQL: ${description}`);
}

function restChanges(released: string, current: string): string[] {
  const [was, is] = [released, current].map((text) => ({ ...parse(text), info: undefined, tags: undefined }));
  return [...differences(was, is, [])].map((path) => `REST: ${path.join(' > ')} has changed, and v1 is frozen.`);
}

/** Where two documents differ, apart from their texts. Below `properties`, keys are names of fields. */
function* differences(was: unknown, is: unknown, path: string[]): Iterable<string[]> {
  if (typeof was !== 'object' || typeof is !== 'object' || was === null || is === null) {
    if (was !== is) yield path;
    return;
  }
  const [before, after] = [new Map(Object.entries(was)), new Map(Object.entries(is))];
  for (const key of new Set([...before.keys(), ...after.keys()])) {
    if (texts.includes(key) && path.at(-1) !== 'properties') continue;
    yield* differences(before.get(key), after.get(key), [...path, key]);
  }
}

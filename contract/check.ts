import { readFileSync } from 'node:fs';
import {
  buildClientSchema,
  DangerousChangeType,
  findBreakingChanges,
  findDangerousChanges,
  type IntrospectionQuery,
} from 'graphql';
import { type Contract, readContract, releasedFile } from './contract.ts';

// Compares the project in the given or current folder with its last release: REST v1 is frozen, GraphQL may grow.
const [folder = '.'] = process.argv.slice(2);
const released: Contract = JSON.parse(readFileSync(releasedFile(folder), 'utf8'));
const current = readContract(folder);

const changes = [
  ...graphqlChanges(released.schema, current.schema),
  ...[...differences(released.openapi, current.openapi, [])].map(
    (path) => `REST: ${path.join(' > ')} has changed, and v1 is frozen.`,
  ),
];
for (const change of changes) console.error(change);
if (changes.length > 0) process.exitCode = 1;

function graphqlChanges(...schemas: [was: IntrospectionQuery, is: IntrospectionQuery]): string[] {
  const [was, is] = [buildClientSchema(schemas[0]), buildClientSchema(schemas[1])];
  const harmless: string[] = [DangerousChangeType.OPTIONAL_ARG_ADDED, DangerousChangeType.OPTIONAL_INPUT_FIELD_ADDED];
  const dangerous = findDangerousChanges(was, is).filter(({ type }) => !harmless.includes(type));
  return [...findBreakingChanges(was, is), ...dangerous].map(({ description }) => `GraphQL: ${description}`);
}

/** The paths at which two documents differ. */
function* differences(was: unknown, is: unknown, path: string[]): Iterable<string[]> {
  if (typeof was !== 'object' || typeof is !== 'object' || was === null || is === null) {
    if (was !== is) yield path;
    return;
  }
  const [before, after] = [new Map(Object.entries(was)), new Map(Object.entries(is))];
  for (const key of new Set([...before.keys(), ...after.keys()])) {
    yield* differences(before.get(key), after.get(key), [...path, key]);
  }
}

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import {
  buildClientSchema,
  buildSchema,
  DangerousChangeType,
  findBreakingChanges,
  findDangerousChanges,
  introspectionFromSchema,
} from 'graphql';
import { parse } from 'yaml';

// Compares the contract of the project in the given or current folder with its last release: REST v1 is frozen, GraphQL
// may grow. --release stores the current contract as the released one.
const { values, positionals } = parseArgs({ allowPositionals: true, options: { release: { type: 'boolean' } } });
const [folder = '.'] = positionals;
const read = (file: string) => readFileSync(join(folder, file), 'utf8');
const releasedFile = 'tools/contract/released.json';
const { info: _info, tags: _tags, ...openapi } = parse(read('openapi.yaml'));
const schema = buildSchema(read('schema.graphql'));

if (values.release) {
  const contract = { openapi, schema: introspectionFromSchema(schema, { descriptions: false }) };
  writeFileSync(join(folder, releasedFile), `${JSON.stringify(contract, null, 1)}\n`);
} else {
  const released = JSON.parse(read(releasedFile));
  const releasedSchema = buildClientSchema(released.schema);
  // As docs/partners/changes.md promises.
  const harmless: string[] = [
    DangerousChangeType.OPTIONAL_ARG_ADDED,
    DangerousChangeType.OPTIONAL_INPUT_FIELD_ADDED,
    DangerousChangeType.VALUE_ADDED_TO_ENUM,
  ];
  const dangerous = findDangerousChanges(releasedSchema, schema).filter(({ type }) => !harmless.includes(type));
  const changes = [
    ...[...findBreakingChanges(releasedSchema, schema), ...dangerous].map(
      ({ description }) => `GraphQL: ${description}`,
    ),
    ...[...differences(released.openapi, openapi, [])].map(
      (path) => `REST: ${path.join(' > ')} has changed, and v1 is frozen.`,
    ),
  ];
  for (const change of changes) console.error(change);
  if (changes.length > 0) process.exitCode = 1;
}

/** Texts and examples may change. */
function* differences(was: unknown, is: unknown, path: string[]): Iterable<string[]> {
  if (typeof was !== 'object' || typeof is !== 'object' || was === null || is === null) {
    if (was !== is) yield path;
    return;
  }
  const [before, after] = [new Map(listMembers(was)), new Map(listMembers(is))];
  for (const key of new Set([...before.keys(), ...after.keys()])) {
    // Below `properties`, keys are field names.
    const isProse = path.at(-1) !== 'properties' && /^(title|summary|description|examples?)$/.test(key);
    if (!isProse) yield* differences(before.get(key), after.get(key), [...path, key]);
  }
}

/** Members of a list have the name of a parameter or reference, or else their position. */
function listMembers(value: object): [string, unknown][] {
  if (!Array.isArray(value)) return Object.entries(value);
  return value.map((member, index) => {
    if (typeof member === 'string') return [member, member];
    return [member?.name ?? member?.$ref?.split('/').at(-1) ?? String(index), member];
  });
}

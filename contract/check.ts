import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { complaintsAbout, type Exception } from './change.ts';
import { graphqlChanges } from './graphql-changes.ts';
import { complaintsAboutReleased } from './released.ts';
import { openApiChanges } from './rest/changes.ts';

// Compares what the project describes, in the folder given or else the current one, with what its last release described.
const [folder = '.'] = process.argv.slice(2);
const read = (file: string) => readFileSync(join(folder, file), 'utf8');

const changes = [
  ...graphqlChanges(read('contract/released/schema.graphql'), read('schema.graphql')),
  ...openApiChanges(JSON.parse(read('contract/released/openapi.json')), JSON.parse(read('openapi.json'))),
];
const complaints = complaintsAbout(changes, JSON.parse(read('contract/exceptions.json')) as Exception[]);
const wrong = complaintsAboutReleased(folder);
for (const complaint of [...wrong, ...complaints]) console.error(complaint);
if (complaints.length > 0) {
  console.error(
    '\nA change that is meant is written into contract/exceptions.json: { "change": the sentence after the colon, "reason": why }.',
  );
}
if (wrong.length + complaints.length > 0) process.exitCode = 1;

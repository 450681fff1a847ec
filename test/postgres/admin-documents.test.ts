import { expect, test } from 'vitest';
import { copyTemplate, useFolder } from '../support/app.ts';
import { runCommands } from '../support/commands.ts';
import { documentBlock } from '../support/documents.ts';

const folder = await useFolder();

test('deploy.md prepares a database', async () => {
  await using database = await copyTemplate();
  const commands = await documentBlock('docs/operations/deploy.md', 'With PostgreSQL', 'sh');
  const parts = /^(export DATABASE_URL=)postgres:\S+\n(.*)\nnpm start\n$/s.exec(commands);
  const stdout = await runCommands(`${parts?.[1]}'${database.env.DATABASE_URL}'\n${parts?.[2]}`, folder, {});
  expect(stdout).toMatch(/^pp_[\w-]{43}$/m);
});

test('the commands of admin.md do what it says', async () => {
  await using database = await copyTemplate();
  const commands = await documentBlock('docs/operations/admin.md', 'Admin command', 'sh');
  expect(commands.split('npm run -s admin --').length).toBeGreaterThan(8);
  const stdout = await runCommands(commands, folder, database.env);
  for (const line of [
    /^applied\t20261121090000_reference_data\t/m,
    /^\d+\tsaruh\tSA\tRiyadh\tالرياض$/m,
    /^pp_[\w-]{43}$/m,
    /^Imported: 2 added, 0 changed, 0 unchanged\.$/m,
    /^Imported: 0 added, 1 changed, 1 unchanged\.$/m,
    /^,\{"id":3,"name":"Palm Partner","live_tokens":1,"company_id":3,/m,
  ]) {
    expect(stdout).toMatch(line);
  }
});

import { describe, expect, test } from 'vitest';
import { migrations } from '../../migrations/index.ts';
import { demoPartner } from '../../src/domain/reference/seed/demo-partners.ts';
import { documentBlock, documentBlocks } from '../support/documents.ts';
import { createAdmin } from '../support/process.ts';
import { runCommands } from '../support/shell.ts';
import { copyTemplate, startApp, use, useFolder } from '../support/test-app.ts';

const folder = await useFolder();

const own = '{ partner { name } items { nodes { id } } }';

test('the commands of deploy.md set up an empty database', async () => {
  await using empty = await copyTemplate({ empty: true });
  const commands = await documentBlock('docs/operations/deploy.md', 'With PostgreSQL', 'sh');
  const parts = /^(export DATABASE_URL=)postgres:\S+\n(.*)\nnpm start\n$/s.exec(commands);
  const stdout = await runCommands(`${parts?.[1]}'${empty.env.DATABASE_URL}'\n${parts?.[2]}`, folder, {});
  for (const name of Object.keys(migrations)) expect(stdout).toContain(name);
  expect(await createAdmin(empty.env).print('migrate')).toContain('up to date');

  await using served = await startApp(empty.env);
  expect((await served.client.rest('GET', '/countries')).body.countries).toHaveLength(249);
  const [token = ''] = /^pp_[\w-]{43}$/m.exec(stdout) ?? [];
  const { body } = await served.client.graphql(own, {}, { token });
  expect(body.data).toEqual({ partner: { name: 'Palm Partner' }, items: { nodes: [] } });
});

test('the command of the README adds demo data', async () => {
  const command = (await documentBlocks('README.md')).find(({ code }) => code.includes('admin'))?.code ?? '';
  await using copy = await copyTemplate();
  expect(await runCommands(command, folder, copy.env)).toMatch(/^1000 rows: 1000 added/);
});

/** Normalizes what varies between runs: tokens, versions, times and column widths. */
function normalized(output: string): string {
  return output
    .replace(/pp_[\w-]{43}/g, 'pp_')
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'version')
    .replace(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d[\d:.Z]*/g, 'time')
    .replace(/ +\|/g, ' |')
    .replace(/-{2,}/g, '--');
}

/** The pattern of an output, in which three dots stand for any text. */
function toPattern(shown: string): RegExp {
  return new RegExp(`^${shown.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&').replaceAll('\\.\\.\\.', '[^]*?')}$`);
}

const guides = ['admin', 'reference-data'].map((name) => `docs/operations/${name}.md`);
const blocks = await Promise.all(guides.map(async (path) => [path, await documentBlocks(path)] as const));

describe.each(blocks)('the commands of %s print the documented output', async (_path, all) => {
  const copy = use(await copyTemplate());
  await createAdmin(copy.env).print('token', 'issue', '--partner', demoPartner);
  const env = { ...copy.env, ADMIN_USER: 'noura' };
  let printed = '';

  test.each(all.map(({ language, code }) => [code.split('\n')[0], language, code]))(
    '%s',
    async (_line, language, code) => {
      if (language === 'sh') printed = await runCommands(code, folder, env);
      else expect(normalized(printed)).toMatch(toPattern(normalized(code)));
    },
  );
});

import { execFile } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Marked } from 'marked';
import { getHeadingList, gfmHeadingId } from 'marked-gfm-heading-id';
import { expect, test } from 'vitest';
import { copyTemplate } from '../support/app.ts';
import { documentBlocks, readDocument } from '../support/documents.ts';
import { startService } from '../support/process.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const documents = globSync(['*.md', 'docs/**/*.md', 'bench/README.md', 'examples/*.md'], { cwd: root });

/** The documents whose commands run here, each against a service of its own. */
const runHere = documents.filter((path) => /^(?:README|docs\/federation|docs\/partners\/.*)\.md$/.test(path));

/** The files that run the other commands, each found by a part of its text. */
const elsewhere: [file: string, document: string, part: string][] = [
  ['.ci/documents', 'README.md', 'npm ci && npm start'],
  ['.ci/run', 'docs/development.md', 'npm ci && npm test'],
  ['.ci/documents', 'docs/operations/observability.md', 'MANAGEMENT_PORT=9464 npm start'],
  ['.ci/documents', 'docs/operations/observability.md', 'OTEL_EXPORTER_OTLP_ENDPOINT='],
  ['.ci/documents', 'examples/README.md', 'cd examples/rest-client'],
  ['.ci/run', 'bench/README.md', 'npm run bench'],
  ['test/faults/worker-processes.test.ts', 'docs/operations/scaling.md', 'WORKERS=2 npm start'],
  ['test/admin/documented-commands.test.ts', 'docs/operations/deploy.md', 'seed --demo     #'],
  ['test/admin/documented-commands.test.ts', 'docs/operations/admin.md', 'migrate --status'],
  ['test/pgbouncer/transactions.test.ts', 'docs/operations/pgbouncer.md', 'export DATABASE_PREPARED_STATEMENTS='],
  // Every block of these, in order.
  ['test/deploy/backup.test.ts', 'docs/operations/backup.md', ''],
  ['test/deploy/migrating.test.ts', 'docs/operations/migrating.md', ''],
  // Without a container engine.
  ['test/deploy/compose.test.ts', 'docs/operations/deploy.md', 'docker compose up'],
  ['scripts/try-image.sh', 'docs/operations/deploy.md', 'docker run'],
  // Without a cluster.
  ['test/deploy/kubernetes.test.ts', 'docs/operations/deploy.md', 'kubectl apply'],
];
const runnersOf = (path: string, code: string) =>
  elsewhere.filter(([, document, part]) => document === path && code.includes(part));

test('every block of commands runs: here, or in a file that is listed', async () => {
  const used = new Set<unknown>();
  for (const path of documents) {
    for (const { language, code } of await documentBlocks(path)) {
      if (language !== 'sh') continue;
      const runners = runnersOf(path, code);
      expect(runners.length === 1 || (runners.length === 0 && runHere.includes(path)), `${path}\n${code}`).toBe(true);
      for (const runner of runners) used.add(runner);
    }
  }
  expect([...used]).toHaveLength(elsewhere.length);
  for (const [file] of elsewhere) expect(existsSync(join(root, file)), file).toBe(true);
});

test.each(runHere)('%s: its commands respond as it shows', async (path) => {
  await using database = await copyTemplate();
  await using service = await startService({ ...database.env, ...settings });
  const blocks = (await documentBlocks(path)).filter(({ code }) => runnersOf(path, code).length === 0);
  const commands: { command: string; shown?: string }[] = [];
  for (const { language, code } of blocks) {
    // Each command is a line, with what it quotes or continues on further lines.
    if (language === 'sh') commands.push(...(code.match(commandLine) ?? []).map((command) => ({ command })));
    if (language !== 'json' && language !== 'http') continue;
    const last = commands.at(-1);
    if (last === undefined || last.shown !== undefined) throw new Error(`No command sends the request of\n${code}`);
    last.shown = code;
  }
  const script = commands
    .map(({ command }) => `${command}printf '%s' '${separator}'\n`)
    .join('')
    .replaceAll('http://127.0.0.1:4000', service.url)
    .replaceAll('.data/demo-token', join(database.env.DATA_DIR ?? '', 'demo-token'));
  const { stdout, stderr } = await promisify(execFile)('bash', ['--norc', '-euc', script]);
  expect(stderr).toBe('');
  const responses = stdout.split(separator);
  expect(responses).toHaveLength(commands.length + 1);
  for (const [index, { command, shown }] of commands.entries()) {
    const response = (responses[index] ?? '').trim();
    if (shown !== undefined) {
      expect(withoutSpace(response), command).toMatch(patternOf(shown));
    } else if (/^\w+=/.test(command)) {
      expect(response, command).toBe('');
    } else {
      expect(response, command).toMatch(/^\{".*\}$/s);
      expect(response, command).not.toMatch(/"errors":|"status":[45]|"userErrors":\[[^\]]/);
    }
  }
});

test('every link and path leads to a file of the repository, and every anchor to a heading', async () => {
  const broken: string[] = [];
  for (const path of documents) {
    for (const [link, target = ''] of (await readDocument(path)).matchAll(/\]\((?!\w+:)([^)\s]+)\)/g)) {
      const [file = '', anchor] = target.split('#');
      const found = file === '' ? path : relative(root, resolve(root, path, '..', file));
      const isThere = existsSync(join(root, found));
      if (!isThere || (anchor && !(await anchorsOf(found)).includes(anchor))) broken.push(`${path} ${link}`);
    }
    for (const [, name = ''] of (await readDocument(path)).matchAll(/`((?:test|src|docs|deploy)\/[\w*./-]+)`/g)) {
      if (globSync(name, { cwd: root }).length === 0) broken.push(`${path} ${name}`);
    }
  }
  expect(broken).toEqual([]);
});

const marked = new Marked(gfmHeadingId());

/** The anchors that GitHub gives to the headings of a document. */
async function anchorsOf(path: string): Promise<string[]> {
  marked.parse(await readDocument(path));
  return getHeadingList().map(({ id }) => id);
}

/** What a response has to be by a document, in which `...` stands for anything. */
function patternOf(shown: string): RegExp {
  const parts = withoutSpace(shown).split('...');
  return new RegExp(`^${parts.map((part) => part.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&')).join('.*')}$`);
}

function withoutSpace(text: string): string {
  return text.replace(/\s/g, '');
}

/** Settings that the documents show the effect of. */
const settings = { FEDERATION: 'on' };

const commandLine = /(?:'[^']*'|"[^"]*"|\\\n|[^'"\n])+\n/g;
const separator = '-- end of a response --';

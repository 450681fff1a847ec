import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));

export const documents = globSync(['*.md', 'docs/**/*.md', 'bench/README.md', 'examples/*.md', 'takeover/*.md'], {
  cwd: root,
});

/** Documents whose commands test/documents runs, each against its own service. */
export const runHere = documents.filter((path) => /^(?:README|docs\/partners\/.*)\.md$/.test(path));

/** Files that run the other commands; `part` is text of the command. */
const runners: [file: string, document: string, part: string][] = [
  ['.ci/documents', 'README.md', 'npm ci && npm start'],
  ['test/admin/documented-commands.slow.test.ts', 'README.md', 'npm run -s admin'],
  ['.ci/run', 'docs/development.md', 'npm ci && npm test'],
  ['.ci/documents', 'docs/operations/observability.md', 'MANAGEMENT_PORT=9464 npm start'],
  ['.ci/documents', 'docs/operations/observability.md', 'OTEL_EXPORTER_OTLP_ENDPOINT='],
  ['.ci/documents', 'examples/README.md', 'cd examples/rest-client'],
  ['test/documents/examples.slow.test.ts', 'examples/README.md', 'php examples/php/client.php'],
  ['test/documents/requests.slow.test.ts', 'docs/partners/read-all-items.md', 'while '],
  ['.ci/run', 'bench/README.md', 'npm run bench'],
  ['test/admin/documented-commands.slow.test.ts', 'docs/operations/deploy.md', 'npm run -s admin -- company create'],
  ['test/admin/documented-commands.slow.test.ts', 'docs/operations/admin.md', ''],
  ['test/admin/documented-commands.slow.test.ts', 'docs/operations/reference-data.md', ''],
  ['test/admin/audit-trail.slow.test.ts', 'docs/operations/runbook.md', ''],
  ['test/check/documented-settings.test.ts', 'docs/operations/pgbouncer.md', 'export DATABASE_PREPARED_STATEMENTS='],
  // These run every block in order.
  ['test/deploy/backup.slow.test.ts', 'docs/operations/backup.md', ''],
  ['takeover/test/guide.test.ts', 'takeover/README.md', ''],
  // Checked without a container engine.
  ['test/check/deployment.test.ts', 'docs/operations/deploy.md', 'docker compose up'],
  ['tools/image/try-image.sh', 'docs/operations/deploy.md', 'docker run'],
  // Checked without a cluster.
  ['test/deploy/kubernetes.slow.test.ts', 'docs/operations/deploy.md', 'kubectl apply'],
];
// Operators delete takeover/.
export const elsewhere = runners.filter(([, document]) => documents.includes(document));
export const findRunners = (path: string, code: string) =>
  elsewhere.filter(([, document, part]) => document === path && code.includes(part));

interface DocumentBlock {
  heading: string;
  language: string;
  code: string;
}

export function readDocument(path: string): Promise<string> {
  return readFile(new URL(`../../${path}`, import.meta.url), 'utf8');
}

export async function documentBlocks(path: string): Promise<DocumentBlock[]> {
  let heading = '';
  return [...(await readDocument(path)).matchAll(/^#+ ([^\n]*)$|^```(\w*)(?: \w+)?\n(.*?)^```$/gms)].flatMap(
    ([, title, language = '', code = '']) => {
      if (title === undefined) return [{ heading, language, code }];
      heading = title;
      return [];
    },
  );
}

export async function documentBlock(path: string, heading: string, language: string): Promise<string> {
  const block = (await documentBlocks(path)).find((each) => each.heading === heading && each.language === language);
  if (block === undefined) throw new Error(`${path} has no ${language} under ${heading}`);
  return block.code;
}

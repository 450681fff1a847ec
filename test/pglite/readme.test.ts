import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { copyTemplate } from '../support/app.ts';
import { startService } from '../support/process.ts';
import { readmeBlocks } from '../support/readme.ts';

/** The sections whose commands are run here, one after the other, against one service. */
const asking = ['What it answers', 'Retries and versions', 'Federation'];

/** Who runs the others: each by a part of its text. */
const elsewhere: [file: string, part: string][] = [
  ['.ci/run', 'npm ci && npm test'],
  ['.ci/readme', 'npm ci && npm start'],
  ['.ci/readme', 'MANAGEMENT_PORT=9464 npm start'],
  ['test/faults/worker-processes.test.ts', 'WORKERS=2 npm start'],
  ['.ci/readme', 'OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:4318 npm start'],
  ['.ci/readme', 'cd examples/rest-client'],
  ['test/postgres/admin-readme.test.ts', 'seed --demo     #'],
  ['test/postgres/admin-readme.test.ts', 'npm run -s admin -- migrate --status'],
  ['test/support/pooled-database.ts', 'export DATABASE_PREPARED_STATEMENTS='],
  // Without a container engine.
  ['test/image/compose.test.ts', 'docker compose up'],
  ['scripts/try-image.sh', 'docker run'],
  // Without a cluster.
  ['test/deploy/kubernetes.test.ts', 'kubectl apply'],
];

/** What is answered to commands that show a refusal, by a part of each; all others are to succeed. */
const refusals: [part: string, answer: RegExp][] = [
  ['itemIds: [9, 12]', /"productTag":null,.*"ITEM_NOT_FOUND".*"itemIds":\[12\].*"ITEM_NOT_PRODUCT".*"itemIds":\[9\]/],
  ['"item_ids":[9,12]', /"status":422,.*"code":"validation_failed"/],
  ['"name_en":"Mild"', /"status":412,.*"code":"version_mismatch"/],
];

const blocks = await Promise.all(['README.md', 'examples/README.md'].map(readmeBlocks));
const commands = blocks.flat().filter(({ language }) => language === 'sh');

test('every block of commands is run: here, or by one that is named', () => {
  const others = commands.filter(({ heading }) => !asking.includes(heading));
  for (const { code } of others) {
    expect(elsewhere.filter(([, part]) => code.includes(part), code)).toHaveLength(1);
  }
  expect(others).toHaveLength(elsewhere.length);
});

test('what it asks is answered as it says', async () => {
  await using database = await copyTemplate();
  await using service = await startService({ ...database.env, FEDERATION: 'on' });
  const asked = commands
    .filter(({ heading }) => asking.includes(heading))
    .map(({ code }) =>
      code
        .replaceAll('http://127.0.0.1:4000', service.url)
        .replaceAll('.data/demo-token', join(database.env.DATA_DIR ?? '', 'demo-token')),
    );
  // Each command on a line of its own, but for what is quoted over several.
  const lines = asked.join('').match(/(?:'[^']*'|"[^"]*"|[^'"\n])+\n/g) ?? [];
  const script = lines.map((line) => `${line}printf '\\n%s\\n' '${separator}'\n`).join('');
  const { stdout, stderr } = await promisify(execFile)('bash', ['--norc', '-euc', script]);
  expect(stderr).toBe('');
  const answers = stdout.split(`\n${separator}\n`);
  expect(answers).toHaveLength(lines.length + 1);
  let refused = 0;
  for (const [index, line] of lines.entries()) {
    const answer = (answers[index] ?? '').trim();
    const refusal = refusals.find(([part]) => line.includes(part));
    if (refusal !== undefined) {
      refused += 1;
      expect(answer, line).toMatch(refusal[1]);
    } else if (/^\w+=/.test(line)) {
      expect(answer, line).toBe('');
    } else {
      expect(answer, line).toMatch(/^(?:HTTP\/1\.1 201 .*)?\{".*\}$/s);
      expect(answer, line).not.toMatch(/"errors":|"status":[45]|"userErrors":\[[^\]]/);
    }
  }
  expect(refused).toBe(refusals.length);
});

const separator = '-- answered --';

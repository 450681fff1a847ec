import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { envToConfig } from '../../src/app/config.ts';
import { createGateway } from '../../src/app/gateway.ts';
import { issueToken } from '../../src/domain/partner/tokens/issue-token.ts';
import { demoPartner } from '../../src/domain/reference/seed/demo-partners.ts';
import { createLog } from '../../src/platform/observability/log.ts';
import { examples, fillTagId } from '../../src/surfaces/pages/examples.ts';
import { formatJson } from '../../src/surfaces/pages/snippets.ts';
import { write } from './write.ts';

const dataDir = await mkdtemp(join(tmpdir(), 'partner-gateway-generate-'));
const app = createGateway(envToConfig({ DATA_DIR: dataDir, PORT: '0' }), { log: createLog('error') });
const { url, db } = await app.start();
const { generateTables } = await import(new URL('../../../tools/codegen/tables.js', import.meta.url).href);
write('src/domain/tables.generated.ts', await generateTables(db));
write('src/surfaces/pages/recorded.generated.json', `${JSON.stringify(await recordResponses(), null, 2)}\n`);
write('.env.example', renderEnvExample());
await app.stop();
await rm(dataDir, { recursive: true });

function renderEnvExample(): string {
  const document = readFileSync(new URL('../../../docs/operations/configuration.md', import.meta.url), 'utf8');
  const text = document.replaceAll('`', '').replace(/\[(.+?)\]\(.+?\)/g, '$1');
  const rows = text.matchAll(/^\| ([A-Z_]+) \| (?:(.+) )?\| (.+) \|$/gm);
  const lines = [...rows].map(([, name, value = '', description = '']) => {
    const comment = description.replace(/(.{1,118})(?: |$)/g, '# $1\n');
    return `${comment}${name}=${value}\n`;
  });
  return `# Generated from docs/operations/configuration.md: every variable, with its default. The service reads the
# process environment; to use a file: cp .env.example .env && export $(grep -v '^#' .env | xargs) && npm start

${lines.join('')}`;
}

async function recordResponses(): Promise<object> {
  const Authorization = `Bearer ${(await issueToken(db, demoPartner, { days: null })).token}`;
  const recordings: Record<string, object[]> = {};
  const apis = ['rest', 'graphql'] as const;
  const choices = apis.flatMap((api) =>
    Object.entries(examples).flatMap(([example, { [api]: steps }]) =>
      ['en', 'ar'].map((language) => ({ name: `${api} ${example} ${language}`, api, steps, language })),
    ),
  );
  for (const { name, api, steps, language } of choices) {
    const recorded: object[] = [];
    let id = '';
    for (const step of steps) {
      const { method, path, body, hasIdempotencyKey } = fillTagId(step, id);
      const response = await fetch(url + path, {
        method,
        headers: {
          Authorization,
          'Accept-Language': language,
          'Content-Type': 'application/json',
          'X-Request-Id': '7d9c1f3e-5a62-4b8d-9e10-2c6f4a8b0d35',
          ...(hasIdempotencyKey && { 'Idempotency-Key': api }),
        },
        ...(body && { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      id = /"id":(\d+)/.exec(text)?.[1] ?? '';
      recorded.push({ status: response.status, text: abridge(JSON.parse(text)) });
    }
    recordings[name] = recorded;
  }
  return recordings;
}

/** JSON with the first two records of each list, and the number of other records. */
function abridge(value: unknown): string {
  const replacer = (_key: string, member: unknown) =>
    Array.isArray(member) && member.length > 3 && typeof member[0] === 'object'
      ? [...member.slice(0, 2), `… +${member.length - 2}`]
      : member;
  return formatJson(value, replacer).replace(/"(… [^"]*)"/g, '$1');
}

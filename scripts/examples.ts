import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApp } from '../src/app/app.ts';
import { envToConfig } from '../src/app/config.ts';
import { issueToken } from '../src/domain/partner/tokens/token.service.ts';
import { demoPartner } from '../src/domain/reference/seed/demo-data.ts';
import { createLog } from '../src/platform/observability/log.ts';
import { type Recording, recordingKey } from '../src/surfaces/pages/home.ts';
import { type Step, surfaces, taskNames, tasks } from '../src/surfaces/pages/tasks.ts';
import { write } from './write.ts';

// Records the responses that the overview shows: runs its requests against a service with the demo data.
const dataDir = await mkdtemp(join(tmpdir(), 'partner-gateway-examples-'));
const app = createApp(envToConfig({ DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'error' }), { log: createLog('error') });
const url = await app.start();
const token = await issueToken(app.db(), demoPartner, null);

const recordings: Record<string, Recording[]> = {};
for (const surface of surfaces) {
  for (const name of taskNames) {
    for (const language of ['en', 'ar'] as const) {
      const recorded: Recording[] = [];
      let id = '';
      for (const step of tasks[name][surface]) {
        const { recording, value } = await send(step, id, language);
        recorded.push(recording);
        id = String(value.id ?? value.data?.createProductTag?.productTag.id);
      }
      recordings[recordingKey(surface, name, language)] = recorded;
    }
  }
}
await app.stop();
await rm(dataDir, { recursive: true });
write('src/surfaces/pages/recorded.generated.json', `${JSON.stringify(recordings, null, 2)}\n`);

async function send(step: Step, id: string, language: string) {
  const { method, path, headers, body } = JSON.parse(JSON.stringify(step).replace(/"\{id\}"|\{id\}/, id));
  const response = await fetch(url + path, {
    method,
    headers: {
      Authorization: `Bearer ${token}`,
      'Accept-Language': language,
      'Content-Type': 'application/json',
      'X-Request-Id': '7d9c1f3e-5a62-4b8d-9e10-2c6f4a8b0d35',
      ...headers,
    },
    body: body && JSON.stringify(body),
  });
  const value = (await response.json()) as {
    id?: number;
    data?: { createProductTag?: { productTag: { id: number } } };
  };
  const shown = ['Content-Language', 'ETag'].flatMap((header) => {
    const text = response.headers.get(header);
    return text === null ? [] : [[header, text]];
  });
  const recording = { status: response.status, headers: Object.fromEntries(shown), body: abridge(value) };
  return { recording, value };
}

/** JSON with the first two records of each list, and the number of the others. */
function abridge(value: unknown): string {
  const replacer = (_key: string, each: unknown) =>
    Array.isArray(each) && each.length > 3 && typeof each[0] === 'object'
      ? [...each.slice(0, 2), `… +${each.length - 2}`]
      : each;
  return JSON.stringify(value, replacer, 2)
    .replace(/"(… [^"]*)"/g, '$1')
    .replace(/\[\s+([\d,\s]+?)\s+\]/g, (_list, ids: string) => `[${ids.replace(/\s+/g, ' ')}]`);
}

import { execFile } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { issueToken } from '../../src/domain/partner/tokens/issue-token.ts';
import { demoPartner } from '../../src/domain/reference/seed/demo-partners.ts';
import { root } from '../../tools/build/make-folder.ts';
import { install } from '../../tools/install.ts';
import { readDescription } from '../support/rest-contract.ts';
import { startApp, use } from '../support/test-app.ts';

const folder = join(root, 'test/generators');
const run = (program: string, ...args: string[]) =>
  promisify(execFile)(process.execPath, [join(folder, 'node_modules', program), ...args], {
    cwd: folder,
    env: { ...process.env, V1: v1, TOKEN: token },
    maxBuffer: 16 * 1024 * 1024,
  });

const app = use(await startApp({ RATE_LIMIT: 'off' }));
// The examples of openapi.yaml have the items of the demo.
const { token } = await issueToken(app.db, demoPartner, { days: null });
const v1 = `${app.url}/partner_portal/v1`;
const input = './dist/openapi.json';

/** The command of each generator of a client in `clients/`. */
const generators: Record<string, [program: string, ...args: string[]]> = {
  'hey-api': ['@hey-api/openapi-ts/bin/run.js', '-i', input, '-o', 'dist/hey-api', '--no-log-file'],
  oazapfts: ['oazapfts/dist/cli.js', input, 'dist/oazapfts.ts'],
  'openapi-typescript': ['openapi-typescript/bin/cli.js', input, '-o', 'dist/openapi-typescript.ts'],
  'openapi-zod-client': ['openapi-zod-client/bin.js', input, '-o', 'dist/openapi-zod-client.ts'],
  orval: ['orval/dist/bin/orval.mjs', '--input', input, '--output', 'dist/orval.ts', '--client', 'axios-functions'],
  'swagger-typescript-api': [
    'swagger-typescript-api/dist/cli.mjs',
    'generate',
    ...['-p', input, '-o', 'dist', '-n', 'swagger-typescript-api.ts'],
  ],
};

beforeAll(async () => {
  await install('test/generators');
  await rm(join(folder, 'dist'), { recursive: true, force: true });
  await mkdir(join(folder, 'dist'));
  await writeFile(join(folder, input), JSON.stringify(readDescription()));
  await Promise.all(Object.values(generators).map((command) => run(...command)));
  await run('typescript/bin/tsc');
}, 120_000);

async function read(method: string, path: string, language = 'en', body?: object) {
  const answer = await app.client.rest(method, path, { token, language, body });
  expect(answer.status).toBeLessThan(300);
  return answer.body;
}

test.each(Object.keys(generators))('the client of %s compiles, and calls every route', async (name) => {
  const { stdout } = await run(`../dist/js/clients/${name}.js`);
  const [index, lookups, countries, cities, timezones, services, created, updated, patched] = JSON.parse(stdout);
  expect(index).toEqual(await read('GET', ''));
  expect(lookups).toEqual(await read('GET', '/lookups?brand_types=-1&week_days=1'));
  expect(countries).toEqual(await read('GET', '/countries', 'ar'));
  expect(cities).toEqual(await read('GET', '/cities?country_id=682'));
  expect(timezones).toEqual(await read('GET', '/timezones'));
  expect(services).toEqual(await read('GET', '/services'));
  const { id } = created;
  expect(created).toEqual({ id, name_en: 'Spicy', name_ar: null, name: 'Spicy', item_ids: [] });
  expect(updated).toEqual({ ...created, name_en: 'Mild', name: 'Mild' });
  expect(patched).toEqual({ ...created, name_en: 'Sweet', name: 'Sweet' });
});

test('newman runs the requests of the Postman converter, given baseUrl and bearerToken', async () => {
  const collection = 'dist/postman.json';
  const options = 'parametersResolution=Example,enableOptionalParameters=false';
  await run('openapi-to-postmanv2/bin/openapi2postmanv2.js', '-s', input, '-o', collection, '-O', options);
  const newman = async (...variables: string[]) => {
    const set = variables.flatMap((variable) => ['--env-var', variable]);
    const report = ['-r', 'json', '--reporter-json-export', 'dist/newman.json'];
    await run('newman/bin/newman.js', 'run', collection, ...set, ...report).catch(() => {});
    const { run: ran } = JSON.parse(await readFile(join(folder, 'dist/newman.json'), 'utf8'));
    return {
      statuses: ran.executions.map(({ response }: { response?: { code: number } }) => response?.code),
      failures: ran.failures.map(({ error }: { error: Error }) => error.message),
    };
  };
  expect((await newman()).failures).toContain('Invalid URI "http:///partner_portal/v1/countries"');
  // The updates lack the id of a tag.
  const statuses = [...Array(6).fill(200), 201, 404, 404];
  expect(await newman(`baseUrl=${v1}`, `bearerToken=${token}`)).toEqual({ statuses, failures: [] });
});

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { toText } from '../pages/page-parts.ts';
import { findProgram, lacks } from '../support/programs.ts';
import { sharedApp, startApp, use } from '../support/test-app.ts';

const shared = await sharedApp();

const separator = '-- end of a response --';

type Language = [name: string, args: string[], separated: (code: string) => string];

/** Programs that run requests in each language, and one request in a scope of its own that prints its body. */
const programs: Record<string, Language> = {
  curl: ['sh', ['-euc'], (code) => `(${code}\n)\nprintf '%s' '${separator}'\n`],
  javascript: [
    process.execPath,
    ['--input-type=module', '-e'],
    (code) => `{${code}\n}\nconsole.log('${separator}');\n`,
  ],
  php: ['php', ['-r'], (code) => `(function () {\n${code.replace('<?php\n', '')}\n})();\necho '${separator}';\n`],
  ruby: ['ruby', ['-e'], (code) => `1.times do\n${code}\nend\nputs '${separator}'\n`],
  python: ['python3', ['-c'], (code) => `${code.replace('response.json()', 'response.text')}\nprint('${separator}')\n`],
};

const guides = [
  ...['quickstart', 'graphql', 'read-all-items', 'tag-products', 'change-items', 'tokens', 'retries-and-versions'],
  ...['keep-a-copy', 'rest-v1', 'graphql-over-http'],
];
const requests = await Promise.all(
  guides.map(async (guide) => {
    const { body } = await shared.client.fetch<string>('GET', `/guides/${guide}`);
    const figures = body.match(/<figure class="request">.*?<\/figure>/gs) ?? [];
    return figures.map((figure) => [guide, figure] as const);
  }),
);

// One after the other: five services that start at once time out on a busy machine.
const responses: string[][] = [];
for (const [format, [name, args, separated]] of Object.entries(programs)) {
  // Each language begins with the same rows.
  await using app = await startApp();
  const tenant = await app.createTenant();
  const { token, products } = tenant;
  const ids: Record<string, string> = { ITEM_ID: `${products[0]}`, ITEM_ID_2: `${products[1]}` };
  const printed: string[] = [];
  let script = '';
  // The requests after a creation have the id of its tag, so the program ends there.
  const runScript = async () => {
    const { stdout } = await promisify(execFile)(findProgram(name) ?? name, [...args, script]);
    script = '';
    printed.push(...stdout.split(separator).slice(0, -1));
    // A rejected creation has none.
    ids.TAG_ID = /"id":\s*(\d+)/.exec(printed.at(-1) ?? '')?.[1] ?? ids.TAG_ID ?? '';
  };
  for (const [, figure] of requests.flat()) {
    const html = new RegExp(`data-as="${format}"[^>]*><code>(.*?)</code>`, 's').exec(figure)?.[1] ?? '';
    const code = toText(html.replace(/<[^>]*>/g, ''))
      .replaceAll('pp_YOUR_TOKEN', token)
      .replaceAll(shared.url, app.url)
      .replace(/\b(?:TAG|ITEM)_ID(?:_2)?\b/g, (mark) => ids[mark] ?? mark);
    script += separated(code);
    if (/createProductTag|"name_ar"/.test(toText(figure))) await runScript();
  }
  await runScript();
  responses.push(printed.map((response) => normalized(response)));
}

function normalized(response: string): string {
  if (response.trim() === '') return '';
  return JSON.stringify(JSON.parse(response), (key, value) =>
    /^(id|request_?id|version|updatedAt|locations)$/i.test(key) ? undefined : value,
  );
}

test.each(requests.flat().map(([guide], index) => [guide, index] as const))(
  '%s, request %i: equal responses in every programming language',
  (_guide, index) => {
    const each = responses.map((printed) => printed[index]);
    expect(new Set(each), JSON.stringify(each)).toHaveLength(1);
    expect(each[0]).toMatch(/^\{/);
  },
);

const { body: loop } = await shared.client.fetch<string>('GET', '/guides/read-all-items');
// So few reads that each program has to wait, and several pages.
const hurried = use(await startApp({ RATE_LIMIT_WINDOW: '1', RATE_LIMIT_TOKEN_READS: '2' }));
const owner = await hurried.createTenant({ products: 230 });

test.each(Object.entries(programs))('the program in %s reads all items', async (format, [name, args]) => {
  if (lacks(name) || (format === 'curl' && lacks('jq'))) return;
  const run = async (token: string) => {
    const html = new RegExp(`<pre class="program" tabindex="0" data-as="${format}"[^>]*><code>(.*?)</code>`, 's').exec(
      loop,
    );
    const code = toText((html?.[1] ?? '').replace(/<[^>]*>/g, ''))
      .replaceAll('pp_YOUR_TOKEN', token)
      .replaceAll(shared.url, hurried.url);
    const script = format === 'php' ? code.replace('<?php\n', '') : code;
    return promisify(execFile)(findProgram(name) ?? name, [...args, script]);
  };
  const { stdout } = await run(owner.token);
  const items = await hurried.db.selectFrom('items').select('id').where('companyId', '=', owner.companyId).execute();
  const ids = stdout
    .trim()
    .split('\n')
    .map((line) => Number.parseInt(line, 10));
  expect(ids).toEqual(items.map(({ id }) => id).toSorted((a, b) => a - b));
  const failed = await run('pp_unknown').catch(({ stdout: printed, stderr }) => ({ stdout: `${printed}${stderr}` }));
  expect(failed.stdout).toMatch(/token/);
});

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { textOf } from '../pages/page-parts.ts';
import { findProgram } from '../support/programs.ts';
import { sharedApp, startApp } from '../support/test-app.ts';

const shared = await sharedApp();

const separator = '-- end of a response --';

type Language = [name: string, args: string[], separated: (code: string) => string];

/** Programs that run requests in each language, and one request in a scope of its own that prints its body. */
const programs: Record<string, Language> = {
  curl: ['sh', ['-euc'], (code) => `(${code}\n)\nprintf '%s' '${separator}'\n`],
  javascript: [
    process.execPath,
    ['--input-type=module', '-e'],
    (code) => `{${code.replace('.json())', '.text())')}\n}\nconsole.log('${separator}');\n`,
  ],
  php: ['php', ['-r'], (code) => `(function () {\n${code.replace('<?php\n', '')}\n})();\necho '${separator}';\n`],
  ruby: ['ruby', ['-e'], (code) => `1.times do\n${code}\nend\nputs '${separator}'\n`],
  python: ['python3', ['-c'], (code) => `${code.replace('response.json()', 'response.text')}\nprint('${separator}')\n`],
};

const guides = ['quickstart', 'graphql', 'rest-v1', 'errors', 'retries-and-versions'];
const requests = await Promise.all(
  guides.map(async (guide) => {
    const { body } = await shared.client.fetch<string>('GET', `/guides/${guide}`);
    const figures = body.match(/<figure class="request">.*?<\/figure>/gs) ?? [];
    return figures.map((figure) => [guide, figure] as const);
  }),
);

const responses = await Promise.all(
  Object.entries(programs).map(async ([format, [name, args, separated]]) => {
    // Each language begins with the same rows.
    await using app = await startApp();
    const { token } = await app.createTenant();
    const script = requests.flat().map(([, figure]) => {
      const html = new RegExp(`data-as="${format}"[^>]*><code>(.*?)</code>`, 's').exec(figure)?.[1] ?? '';
      return separated(textOf(html.replace(/<[^>]*>/g, '')).replaceAll('pp_YOUR_TOKEN', token));
    });
    const code = script.join('').replaceAll(shared.url, app.url);
    const { stdout } = await promisify(execFile)(findProgram(name) ?? name, [...args, code]);
    return stdout.split(separator).map((response) => normalized(response));
  }),
);

function normalized(response: string): string {
  if (response.trim() === '') return '';
  return JSON.stringify(JSON.parse(response), (key, value) =>
    /^(id|request_?id|version)$/i.test(key) ? undefined : value,
  );
}

test.each(requests.flat().map(([guide], index) => [guide, index] as const))(
  '%s, request %i: every language gets the same response',
  (_guide, index) => {
    const each = responses.map((printed) => printed[index]);
    expect(new Set(each), JSON.stringify(each)).toHaveLength(1);
    expect(each[0]).toMatch(/^\{/);
  },
);

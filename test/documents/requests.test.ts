import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { textOf } from '../pages/page-parts.ts';
import { findProgram } from '../support/programs.ts';
import { startApp, use } from '../support/test-app.ts';

const app = use(await startApp());
const { token } = await app.createTenant();

/** Programs that run a request in each language, with their arguments before its code. */
const programs: Record<string, [name: string, ...args: string[]]> = {
  curl: ['sh', '-euc'],
  javascript: [process.execPath, '--input-type=module', '-e'],
  php: ['php', '-r'],
  ruby: ['ruby', '-e'],
  python: ['python3', '-c'],
};

// JavaScript and Python print a value in their own format.
const asJson: Record<string, (code: string) => string> = {
  javascript: (code) => code.replace('console.log(await response.json())', 'console.log(await response.text())'),
  php: (code) => code.replace('<?php\n', ''),
  python: (code) => code.replace('print(response.json())', 'print(response.text)'),
};

const guides = ['quickstart', 'graphql', 'rest-v1', 'errors', 'retries-and-versions'];
const requests = await Promise.all(
  guides.map(async (guide) => {
    const { body } = await app.client.fetch<string>('GET', `/guides/${guide}`);
    const figures = body.match(/<figure class="request">.*?<\/figure>/gs) ?? [];
    return figures.map((figure) => [guide, figure] as const);
  }),
);

test.each(requests.flat().map(([guide, figure], index) => [guide, index, figure] as const))(
  '%s, request %i: every language gets the same response',
  async (_guide, _index, figure) => {
    const blocks = [...figure.matchAll(/data-as="(\w+)"[^>]*><code>(.*?)<\/code>/gs)];
    expect(blocks.map(([, format]) => format)).toEqual(Object.keys(programs));
    const responses = new Map<string, unknown>();
    for (const [, format = '', html = ''] of blocks) {
      const code = textOf(html.replace(/<[^>]*>/g, '')).replaceAll('pp_YOUR_TOKEN', token);
      const [name, ...args] = programs[format] ?? [''];
      const program = findProgram(name) ?? name;
      const { stdout } = await promisify(execFile)(program, [...args, asJson[format]?.(code) ?? code]);
      const json = JSON.parse(stdout);
      responses.set(
        format,
        JSON.stringify(json, (key, value) => (/^(id|request_?id|version)$/i.test(key) ? undefined : value)),
      );
    }
    expect(new Set(responses.values()), JSON.stringify([...responses])).toHaveLength(1);
  },
);

import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseAst } from 'vitest/node';
import { root } from '../support/documents.ts';

type TextOf = (size: number) => string;

/** The words and characters that a pattern names, and some that its classes may contain. */
function listParts({ source }: RegExp): string[] {
  const classes = /\[(?:\\.|[^\]\\])+\]/gs;
  const inClasses = source.match(classes)?.flatMap((each) => each.match(/[^\w\\]/g) ?? []) ?? [];
  const outside = source.replaceAll(classes, '\n').replaceAll(/\\[a-z]|\{\d*,?\d*\}|\(\?<?[:=!]/gi, '\n');
  const named = outside.match(/\w+|\\\W|[^\w\s\\()|^$*+?.[\]{}]/g) ?? [];
  return [...new Set([...inClasses, ...named, ' ', '0', 'a'].map((part) => part.replace('\\', '')))];
}

/** Up to three parts, of which one or more repeat, and an end that often does not match. */
function* hostileTexts(pattern: RegExp): Generator<TextOf> {
  const parts = listParts(pattern);
  const text = (prefix: string, unit: string, end: string) => (size: number) =>
    prefix + unit.repeat(Math.ceil(size / unit.length)) + end;
  for (const first of ['', ...parts])
    for (const second of parts)
      for (const third of ['\0', ...parts]) {
        yield text(first, second, third);
        yield text('', first + second, third);
        yield text('', first + second + third, '\0');
      }
}

function match(pattern: RegExp, text: string, times = 1): void {
  for (let time = 0; time < times; time += 1) text.replace(pattern, '');
}

/** The CPU time of matches, in ms; the clock has steps of 4. */
function measureCpu(...work: Parameters<typeof match>): number {
  const before = process.threadCpuUsage();
  match(...work);
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}

function elapsed(...work: Parameters<typeof match>): number {
  const start = performance.now();
  match(...work);
  return performance.now() - start;
}

/** The texts that take longest. */
function worstTexts(pattern: RegExp): TextOf[] {
  const rank = (texts: TextOf[], time: (textOf: TextOf) => number, count: number) =>
    texts
      .map((textOf) => ({ textOf, time: time(textOf) }))
      .toSorted((a, b) => b.time - a.time)
      .slice(0, count)
      .map(({ textOf }) => textOf);
  const some = rank([...hostileTexts(pattern)], (textOf) => elapsed(pattern, textOf(200)), 50);
  // Another program may have taken the CPU meanwhile.
  return rank(some, (textOf) => Math.min(...[1, 2, 3].map(() => elapsed(pattern, textOf(400)))), 3);
}

/** Whether a long text takes more CPU time than the same characters in ten pieces. */
function isSlow(pattern: RegExp): boolean {
  return worstTexts(pattern).some((textOf) => {
    for (const size of [1_000, 10_000, 100_000]) {
      const whole = measureCpu(pattern, textOf(size));
      if (whole > 40) return whole > 4 * measureCpu(pattern, textOf(size / 10), 10);
    }
    return false;
  });
}

// On a busy machine, equal work differs by more than a linear pattern from a quadratic one.
const tries = [1, 2, 3];
const isSlowEachTime = (pattern: RegExp) => tries.every(() => isSlow(pattern));

/** The literals of a source. Those that `new RegExp` makes of others are not found. */
async function listPatterns(file: string): Promise<[file: string, pattern: RegExp][]> {
  const found: [string, RegExp][] = [];
  JSON.stringify(parseAst(await readFile(join(root, file), 'utf8'), { lang: 'ts' }), (_, value) => {
    if (value?.regex) found.push([file, new RegExp(value.regex.pattern, value.regex.flags)]);
    return typeof value === 'bigint' ? String(value) : value;
  });
  return found;
}

test.each([/\s+$/, /<[^>]*>/, /,[^@]*$/, /\[\s+([\d,\s]+?)\s+\]/g, /(:.*[+-]\d\d)$/])(
  'detects the quadratic time of %s',
  (pattern) => expect(tries.some(() => isSlow(pattern))).toBe(true),
);

test.each([/^\s+$/, /<[^<>]*>/, /^(\d+)-(\w+)$/, /\s+/g])('accepts the linear time of %s', (pattern) => {
  expect(isSlowEachTime(pattern)).toBe(false);
});

test('every regular expression of the sources takes linear time', async () => {
  const patterns = (await Promise.all(globSync('src/**/*.ts', { cwd: root }).map(listPatterns))).flat();
  expect(patterns.length).toBeGreaterThan(100);
  expect(patterns.filter(([, pattern]) => isSlowEachTime(pattern))).toEqual([]);
});

import { readFile } from 'node:fs/promises';

/** The first block of code in a language under a heading of the README. */
export async function readmeBlock(heading: string, language: string): Promise<string> {
  const readme = await readFile(new URL('../../README.md', import.meta.url), 'utf8');
  const [, section = ''] = readme.split(new RegExp(`^#+ ${heading}\n`, 'm'));
  const [, block] = new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 's').exec(section.split(/^#+ \w/m)[0] ?? '') ?? [];
  if (block === undefined) throw new Error(`the README has no ${language} under ${heading}`);
  return block;
}

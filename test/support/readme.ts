import { readFile } from 'node:fs/promises';

export interface ReadmeBlock {
  /** What it stands under, without the marks. */
  heading: string;
  language: string;
  code: string;
}

/** The blocks of code of a README of the repository, in their order. */
export async function readmeBlocks(path = 'README.md'): Promise<ReadmeBlock[]> {
  const readme = await readFile(new URL(`../../${path}`, import.meta.url), 'utf8');
  let heading = '';
  return [...readme.matchAll(/^#+ ([^\n]*)$|^```(\w*)\n(.*?)^```$/gms)].flatMap(
    ([, title, language = '', code = '']) => {
      if (title === undefined) return [{ heading, language, code }];
      heading = title;
      return [];
    },
  );
}

/** The first block in a language under a heading of the README. */
export async function readmeBlock(heading: string, language: string): Promise<string> {
  const block = (await readmeBlocks()).find((each) => each.heading === heading && each.language === language);
  if (block === undefined) throw new Error(`the README has no ${language} under ${heading}`);
  return block.code;
}

import { readFile } from 'node:fs/promises';

interface DocumentBlock {
  /** The heading above it, without the marks. */
  heading: string;
  language: string;
  code: string;
}

/** The text of a document of the repository. */
export function readDocument(path: string): Promise<string> {
  return readFile(new URL(`../../${path}`, import.meta.url), 'utf8');
}

/** The blocks of code of a document, in their order. */
export async function documentBlocks(path: string): Promise<DocumentBlock[]> {
  let heading = '';
  return [...(await readDocument(path)).matchAll(/^#+ ([^\n]*)$|^```(\w*)\n(.*?)^```$/gms)].flatMap(
    ([, title, language = '', code = '']) => {
      if (title === undefined) return [{ heading, language, code }];
      heading = title;
      return [];
    },
  );
}

/** The first block in a language under a heading of a document. */
export async function documentBlock(path: string, heading: string, language: string): Promise<string> {
  const block = (await documentBlocks(path)).find((each) => each.heading === heading && each.language === language);
  if (block === undefined) throw new Error(`${path} has no ${language} under ${heading}`);
  return block.code;
}

import { readFile } from 'node:fs/promises';
import type { OpenApi } from '../../contract/rest/changes.ts';

/** The folder of the project. */
export const root = new URL('../..', import.meta.url).pathname;

const document = await readFile(`${root}openapi.json`, 'utf8');

/** Changes a document, of which it gets each part by name. */
// biome-ignore lint/suspicious/noExplicitAny: any part of a document is changed
export type Change = (document: any) => unknown;

/** The description of v1, with something changed in it. */
export function described(change: Change = () => undefined): OpenApi {
  const copy = JSON.parse(document);
  change(copy);
  return copy;
}

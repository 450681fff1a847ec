import type { Readable } from 'node:stream';
import { id, text } from '../../../domain/files/columns.ts';
import { Mistakes } from '../../../domain/files/mistakes.ts';
import { readRecords } from '../../../domain/files/read-records.ts';

const oldId = text((value) => /^[\w-]+$/.test(value), 'an id of letters, digits, _ and -');

/** A field of ids and its value or list of values: in JSON, in a form or query, or in a GraphQL document. */
const named =
  /((?:(?<![A-Za-z0-9])id|(?<=[a-z])Id)s?(?:\]|\[|%5[BDbd])*|"key"\s*:\s*"id"\s*,\s*"value)(["\\]*\s*[:=]\s*)(\[[^\]]*\]|["\\]*[\w-]+)/g;

/** Reads CSV with the columns `old` and `new`; returns functions that translate the ids of a text, or of a path. */
export async function readIds(file: Readable | undefined) {
  const mistakes = new Mistakes();
  const columns = { old: oldId, new: id };
  const records = file === undefined ? [] : await Array.fromAsync(readRecords(file, { columns, mistakes }));
  mistakes.ensureNone();
  const ids = new Map(records.map((record) => [record.old, String(record.new)]));
  const translate = (words: string) => words.replaceAll(/[\w-]+/g, (word) => ids.get(word) ?? word);
  const inText = (all: string) =>
    ids.size === 0 ? all : all.replaceAll(named, (_, name, separator, value) => name + separator + translate(value));
  return { inText, inPath: (path: string) => inText(path.replace(/^[^?]+/, translate)) };
}

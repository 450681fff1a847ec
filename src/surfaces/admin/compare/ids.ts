import { id, text } from '../../../domain/import/columns.ts';
import { Mistakes } from '../../../domain/import/mistakes.ts';
import { readRecords } from '../../../domain/import/read-records.ts';
import type { RecordedRequest } from './recording.ts';

const oldId = text((value) => /^[\w-]+$/.test(value), 'an id of letters, digits, _ and -');

/** A name that holds ids, and its value or list of values: in JSON, in a form or query, or in a GraphQL document. */
const named =
  /((?:(?<![A-Za-z0-9])id|(?<=[a-z])Id)s?(?:\]|\[|%5[BDbd])*|"key"\s*:\s*"id"\s*,\s*"value)(["\\]*\s*[:=]\s*)(\[[^\]]*\]|["\\]*[\w-]+)/g;

/** The ids that records of the old service have in the new one. */
export class Ids {
  readonly #ids = new Map<string, string>();

  /** Reads CSV with the columns `old` and `new`. */
  constructor(content: Buffer) {
    const mistakes = new Mistakes();
    const records = content.length === 0 ? [] : readRecords(content, { columns: { old: oldId, new: id }, mistakes });
    mistakes.ensureNone('Nothing was sent.');
    for (const record of records) this.#ids.set(record.old, String(record.new));
  }

  /** The request as the new service understands it. */
  request({ path, body, ...request }: RecordedRequest): RecordedRequest {
    return { ...request, path: this.path(path), body: body && this.text(body) };
  }

  path(path: string): string {
    return this.text(path.replace(/^[^?]+/, (segments) => this.#replace(segments)));
  }

  text(text: string): string {
    if (this.#ids.size === 0) return text;
    return text.replace(named, (_, name, separator, value) => name + separator + this.#replace(value));
  }

  #replace(text: string): string {
    return text.replace(/[\w-]+/g, (word) => this.#ids.get(word) ?? word);
  }
}

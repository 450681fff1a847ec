import type { IncomingMessage } from 'node:http';
import Negotiator from 'negotiator';
import { parseMediaType } from './media-type.ts';

export interface MediaRange {
  type: string;
  weight: number;
}

/** Only error responses read a longer header, which is rejected. */
const maxLength = 1_000;

const maxRanges = 20;

const elements = /(?:[^",]|"(?:[^"\\]|\\.)*"?)+/gs;

/** Checked first, because throwing is slow. */
const typeAndSubtype = /^\s*[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(?:;|$)/;

/** Ignores malformed ranges and those after the first 20, and parameters other than weight and charset. */
export function parseAccept(accept = ''): MediaRange[] {
  if (accept.length > maxLength) return [];
  const ranges = (accept.match(elements) ?? []).filter((element) => typeAndSubtype.test(element));
  return ranges.slice(0, maxRanges).flatMap((element) => {
    try {
      const { essence, params } = parseMediaType(element);
      const weight = Number(params.get('q') ?? 1);
      const isUtf8 = /^(?:utf-?8|\*)$/i.test(params.get('charset') ?? 'utf-8');
      return isUtf8 ? [{ type: essence, weight: weight >= 0 && weight <= 1 ? weight : 0 }] : [];
    } catch {
      return [];
    }
  });
}

/** The preferred type of `types`; undefined if the request accepts none of them. */
export function negotiateType<Type extends string>(
  { headers: { accept = '' } }: IncomingMessage,
  types: readonly [Type, ...Type[]],
): Type | undefined {
  if (accept.trim() === '') return types[0];
  const ranges = parseAccept(accept).map(({ type, weight }) => `${type};q=${weight}`);
  return new Negotiator({ headers: { accept: ranges.join() } }).mediaType([...types]) as Type | undefined;
}

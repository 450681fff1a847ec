import type { IncomingMessage } from 'node:http';
import Negotiator from 'negotiator';
import { parseMediaType } from './media-type.ts';

/** A media range of an `Accept` header. */
export interface MediaRange {
  /** Such as `application/json` or `application/*`, in lower case. */
  type: string;
  /** 0 to 1. */
  weight: number;
}

/** In characters; each takes up to half a microsecond. Only errors meet a longer header, which is rejected. */
const maxLength = 1_000;

/** Each takes about a microsecond. */
const maxRanges = 20;

// Elements of a list, with commas inside of quotes.
const elements = /(?:[^",]|"(?:[^"\\]|\\.)*"?)+/gs;

/** The syntax of a type and a subtype: throwing for a malformed one takes ten times as long as parsing a good one. */
const typeAndSubtype = /^\s*[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(?:;|$)/;

/**
 * The media ranges that UTF-8 satisfies, in the order of the header: of the first 20 of them. Ignores malformed ranges, and all
 * parameters but the weight and the charset: clients send `version`, `indent` and others, which change nothing.
 */
export function mediaRanges(accept = ''): MediaRange[] {
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

/** The one of our media types that a request prefers: the first without `Accept`, undefined if it accepts none. */
export function preferredType<Type extends string>(
  { headers: { accept = '' } }: IncomingMessage,
  types: readonly [Type, ...Type[]],
): Type | undefined {
  if (accept.trim() === '') return types[0];
  const ranges = mediaRanges(accept).map(({ type, weight }) => `${type};q=${weight}`);
  return new Negotiator({ headers: { accept: ranges.join() } }).mediaType([...types]) as Type | undefined;
}

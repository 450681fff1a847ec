/** The two documents that are compared. */
export interface Documents<Document = unknown> {
  released: Document;
  current: Document;
}

/** A part of a document as it is, or the reference to it. */
export type Referable<Part> = Part | { $ref: string };

/** Follows references within a document, to one that is none. */
export function resolve<Part extends object>(document: unknown, part: Referable<Part>): Part {
  return '$ref' in part && typeof part.$ref === 'string'
    ? resolve(document, target<Part>(document, part.$ref))
    : (part as Part);
}

/** What a reference refers to. */
export function target<Part>(document: unknown, reference: string): Part {
  const [start, ...keys] = decodeURIComponent(reference).split('/');
  const found = keys
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], document);
  if (start !== '#' || found === undefined)
    throw new Error(`The reference ${reference} is to nothing in its document.`);
  return found as Part;
}

/** A value with all that it refers to in it; a reference from within its own target stays one. */
export function expanded(document: unknown, value: unknown, within: readonly string[] = []): unknown {
  if (Array.isArray(value)) return value.map((each) => expanded(document, each, within));
  if (typeof value !== 'object' || value === null) return value;
  const { $ref, ...members } = value as Record<string, unknown>;
  const isFollowed = typeof $ref === 'string' && !within.includes($ref);
  return Object.fromEntries([
    ...Object.entries(members).map(([name, each]) => [name, expanded(document, each, within)]),
    ...($ref === undefined
      ? []
      : [['$ref', isFollowed ? expanded(document, target(document, $ref), [...within, $ref]) : $ref]]),
  ]);
}

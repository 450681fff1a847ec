import { type Content, contentChanges } from './content.ts';
import { type Changes, unjudged } from './members.ts';
import { type Documents, type Referable, resolve } from './reference.ts';
import { type Schema, schemaChanges } from './schema.ts';

interface Header {
  required?: boolean;
  schema?: Schema;
}

export interface Response {
  headers?: Record<string, Referable<Header>>;
  content?: Content;
}

type Responses = Record<string, Referable<Response>>;

/** What breaks clients that read answers. */
export function* responseChanges(was: Responses, is: Responses, name: string, documents: Documents): Changes {
  yield* statusChanges(was, is, name);
  for (const [status, before] of Object.entries(was)) {
    const after = is[status];
    if (after === undefined) continue;
    const [response, now] = [resolve(documents.released, before), resolve(documents.current, after)];
    const place = `${name} (${status})`;
    yield* headerChanges(response.headers ?? {}, now.headers ?? {}, place, documents);
    yield* contentChanges(response.content, now.content, 'response', place, documents);
    yield* unjudged(response, now, ['headers', 'content'], place, documents);
  }
}

// Any client knows what a failure is by the first digit of its status, so that there may be others, and fewer; but what was
// told by one is not told by another.
function* statusChanges(was: Responses, is: Responses, name: string): Changes {
  const isFailure = (status: string) => /^[45]/.test(status);
  const gone = Object.keys(was).filter((status) => !(status in is));
  const added = Object.keys(is).filter((status) => !(status in was));
  for (const status of gone) if (!isFailure(status)) yield `${name} is no longer answered ${status}`;
  for (const status of added) if (!isFailure(status)) yield `${name} may now be answered ${status}`;
  const [before, after] = [gone.filter(isFailure), added.filter(isFailure)];
  if (before.length > 0 && after.length > 0) yield `${name} is refused with ${after} instead of ${before}`;
}

function* headerChanges(
  was: Record<string, Referable<Header>>,
  is: Record<string, Referable<Header>>,
  name: string,
  documents: Documents,
): Changes {
  // Their names are the same in any case.
  const after = new Map(Object.entries(is).map(([header, one]) => [header.toLowerCase(), one]));
  for (const [header, one] of Object.entries(was)) {
    const other = after.get(header.toLowerCase());
    if (other === undefined) {
      yield `${name}: the header ${header} is gone`;
      continue;
    }
    const [before, now] = [resolve(documents.released, one), resolve(documents.current, other)];
    const place = `${name}: the header ${header}`;
    if (before.required && !now.required) yield `${place} may now be absent`;
    yield* schemaChanges(before.schema, now.schema, place, { ...documents, direction: 'response' });
    yield* unjudged(before, now, ['required', 'schema'], place, documents);
  }
}

import { type Content, contentChanges } from './content.ts';
import { type Changes, unjudged } from './members.ts';
import { type Parameter, parameterChanges } from './parameters.ts';
import { type Documents, type Referable, resolve } from './reference.ts';
import { type Response, responseChanges } from './responses.ts';
import { type Alternative, type Secured, securityChanges } from './security.ts';

interface Body {
  required?: boolean;
  content: Content;
}

export interface Operation {
  operationId?: string;
  security?: Alternative[];
  parameters?: Referable<Parameter>[];
  requestBody?: Referable<Body>;
  responses: Record<string, Referable<Response>>;
}

/** What breaks clients of an operation. Its name is that of a function in clients that are generated. */
export function* operationChanges(was: Operation, is: Operation, name: string, documents: Documents<Secured>): Changes {
  if (was.operationId !== undefined && was.operationId !== is.operationId) {
    yield `${name} is no longer called ${was.operationId}`;
  }
  yield* securityChanges(was.security, is.security, name, documents);
  yield* parameterChanges(was.parameters ?? [], is.parameters ?? [], name, documents);
  yield* bodyChanges(was.requestBody, is.requestBody, name, documents);
  yield* responseChanges(was.responses, is.responses, name, documents);
  const judged = ['operationId', 'tags', 'security', 'parameters', 'requestBody', 'responses'];
  yield* unjudged(was, is, judged, name, documents);
}

function* bodyChanges(
  before: Referable<Body> | undefined,
  after: Referable<Body> | undefined,
  name: string,
  documents: Documents,
): Changes {
  const was = before && resolve(documents.released, before);
  const is = after && resolve(documents.current, after);
  if (is?.required && !was?.required) yield `${name} now needs a body`;
  yield* contentChanges(was?.content, is?.content, 'request', `${name}: the body`, documents);
  if (was && is) yield* unjudged(was, is, ['required', 'content'], `${name}: the body`, documents);
}

import type { BreakingChange } from '../change.ts';
import { type Changes, unjudged } from './members.ts';
import { type Operation, operationChanges } from './operation.ts';
import type { Parameter } from './parameters.ts';
import { type Documents, type Referable, resolve } from './reference.ts';
import type { Secured } from './security.ts';
import { type Served, serverChanges } from './servers.ts';

type PathItem = Record<string, Operation> & { parameters?: Referable<Parameter>[] };

/** An OpenAPI document, as far as it is judged. */
export interface OpenApi extends Secured, Served {
  paths: Record<string, Referable<PathItem>>;
}

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

/** What breaks clients of a described service; whatever cannot be judged among it. */
export function openApiChanges(released: OpenApi, current: OpenApi): BreakingChange[] {
  return [...new Set(documentChanges({ released, current }))].map((change) => `REST: ${change}`);
}

function* documentChanges(documents: Documents<OpenApi>): Changes {
  const { released, current } = documents;
  yield* serverChanges(released, current, documents);
  for (const [path, item] of Object.entries(released.paths)) {
    const now = current.paths[path];
    yield* pathChanges(resolve(released, item), now ? resolve(current, now) : ({} as PathItem), path, documents);
  }
  // Components are judged where they are referred to, security where it is asked for.
  const judged = ['info', 'servers', 'tags', 'paths', 'components', 'security'];
  yield* unjudged(released, current, judged, 'The document', documents);
}

function* pathChanges(was: PathItem, is: PathItem, path: string, documents: Documents<OpenApi>): Changes {
  for (const method of methods) {
    const [before, after] = [was[method], is[method]];
    const name = `${method.toUpperCase()} ${path}`;
    if (before === undefined) continue;
    if (after === undefined) yield `${name} is gone`;
    else yield* operationChanges(withParametersOf(was, before), withParametersOf(is, after), name, documents);
  }
  yield* unjudged(was, is, [...methods, 'parameters'], path, documents);
}

// Those of a path are of each of its operations, which may replace them: of two with one name the last counts.
function withParametersOf({ parameters = [] }: PathItem, operation: Operation): Operation {
  return { ...operation, parameters: [...parameters, ...(operation.parameters ?? [])] };
}

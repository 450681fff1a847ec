import { type Changes, different, unjudged } from './members.ts';
import { type Documents, type Referable, resolve } from './reference.ts';
import { type Schema, schemaChanges } from './schema.ts';

export interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  style?: string;
  explode?: boolean;
  schema?: Schema;
}

/** What breaks clients that send parameters; those of paths, queries, headers and cookies. */
export function* parameterChanges(
  was: Referable<Parameter>[],
  is: Referable<Parameter>[],
  name: string,
  documents: Documents,
): Changes {
  const [before, after] = [byName(documents.released, was), byName(documents.current, is)];
  for (const [key, parameter] of before) {
    const now = after.get(key);
    if (now === undefined) yield `${name}: the parameter ${parameter.name} is gone`;
    else yield* changesOfOne(parameter, now, `${name}: ${parameter.name}`, documents);
  }
  for (const [key, parameter] of after) {
    if (parameter.required && !before.get(key)?.required) {
      yield `${name}: the parameter ${parameter.name} is now required`;
    }
  }
}

function* changesOfOne(was: Parameter, is: Parameter, name: string, documents: Documents): Changes {
  for (const member of ['style', 'explode'] as const) {
    const [before, after] = [serialization(was)[member], serialization(is)[member]];
    if (before !== after) yield `${name}: ${different(member, before, after)}`;
  }
  yield* schemaChanges(was.schema, is.schema, name, { ...documents, direction: 'request' });
  yield* unjudged(was, is, ['name', 'in', 'required', 'style', 'explode', 'schema'], name, documents);
}

function byName(document: unknown, parameters: Referable<Parameter>[]): Map<string, Parameter> {
  const resolved = parameters.map((parameter) => resolve(document, parameter));
  // Names of headers are the same in any case.
  return new Map(
    resolved.map((each) => [`${each.in} ${each.in === 'header' ? each.name.toLowerCase() : each.name}`, each]),
  );
}

// What it is where a parameter does not say.
function serialization(parameter: Parameter): { style: string; explode: boolean } {
  const style = parameter.style ?? (['query', 'cookie'].includes(parameter.in) ? 'form' : 'simple');
  return { style, explode: parameter.explode ?? style === 'form' };
}

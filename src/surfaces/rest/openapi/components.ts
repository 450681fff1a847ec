import { isDeepStrictEqual } from 'node:util';
import type { PathItemObject, ReferenceObject, ResponseObject, ResponsesObject, SchemaObject } from 'openapi3-ts/oas31';

/** Takes what has a name out of a description: each is written once, and referred to. */
export class SharedComponents {
  readonly schemas: Record<string, SchemaObject> = {};
  readonly responses: Record<string, ResponseObject> = {};

  /** The value with a reference in place of each schema of an object that has a title. */
  shareSchemas<Value>(value: Value): Value {
    if (Array.isArray(value)) return value.map((each) => this.shareSchemas(each)) as Value;
    if (typeof value !== 'object' || value === null) return value;
    const shared = Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, this.shareSchemas(inner)]));
    if (shared.type !== 'object' || typeof shared.title !== 'string') return shared as Value;
    return shareUnder('schemas', this.schemas, shared.title, shared) as Value;
  }

  /** The path with a reference in place of each response that is a problem. */
  shareProblems(item: PathItemObject): PathItemObject {
    return Object.fromEntries(
      Object.entries(item).map(([method, operation]) => {
        const responses = Object.entries(operation.responses as ResponsesObject).map(([status, response]) => {
          const name = nameOf(response, `${operation.operationId}_${status}`);
          return [status, name === undefined ? response : shareUnder('responses', this.responses, name, response)];
        });
        return [method, { ...operation, responses: Object.fromEntries(responses) }];
      }),
    );
  }

  /** Every code of the problems. */
  problemCodes(): string[] {
    return [...new Set(Object.values(this.responses).flatMap((response) => codesOf(response) ?? []))].sort();
  }
}

function shareUnder<Part>(kind: string, parts: Record<string, Part>, name: string, part: Part): ReferenceObject {
  const known = parts[name];
  if (known !== undefined && !isDeepStrictEqual(known, part)) throw new Error(`two ${kind} are called ${name}`);
  parts[name] = part;
  return { $ref: `#/components/${kind}/${name}` };
}

// By its codes. Those that name what was sent are a route's own.
function nameOf(response: ResponseObject, ownName: string): string | undefined {
  const codes = codesOf(response);
  if (codes === undefined) return undefined;
  const isOwn = codes.includes('invalid_parameter') || codes.length > 3;
  return pascalCase(isOwn ? ownName : codes.join('_or_'));
}

function codesOf({ content }: ResponseObject): string[] | undefined {
  const schema = content?.['application/problem+json']?.schema as SchemaObject | undefined;
  return (schema?.properties?.code as SchemaObject | undefined)?.enum;
}

function pascalCase(words: string): string {
  return words.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
}

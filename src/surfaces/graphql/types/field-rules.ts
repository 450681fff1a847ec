import { Extensions, Field } from 'type-graphql';
import type { RequestContext } from '../../request/context.ts';
import { costOfScan, type FieldRules } from '../../request/cost.ts';

export const shownScanCost = costOfScan.toLocaleString('en');

/** For descriptions of arguments that make a list read all rows. */
export const costsScan = `Costs ${shownScanCost}.`;

/** Declares rules of a field, or of every field that returns a type. A later declaration replaces the same rule. */
export function Rules<Args>(rules: FieldRules<Args>) {
  return Extensions({ ...rules });
}

/** Resolves a field by a method of `(args, context)`; type-graphql takes several times as long, for each row. */
export function ResolveDirectly() {
  return <Method extends (args: never, context: RequestContext) => unknown>(
    target: object,
    field: string,
    { value }: TypedPropertyDescriptor<Method>,
  ) => Rules({ resolve: (source, args, context) => value?.call(source, args as never, context) })(target, field);
}

/** Declares a field with `ResolveDirectly`; `@Args` of its first parameter declares its arguments. */
export function MethodField(type: () => object, options: { description: string; nullable?: boolean }) {
  return <Method extends (args: never, context: RequestContext) => unknown>(
    target: object,
    field: string,
    descriptor: TypedPropertyDescriptor<Method>,
  ) => {
    Field(type, options)(target, field, descriptor);
    ResolveDirectly()(target, field, descriptor);
  };
}

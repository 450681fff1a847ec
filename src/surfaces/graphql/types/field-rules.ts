import { Extensions, Field } from 'type-graphql';
import type { ReferenceLists } from '../../../domain/reference/reference-lists.ts';
import type { RequestContext } from '../../request/context.ts';

/** The prices of the fields selected inside a field, by their names: several for a name with aliases. */
export type Children = Readonly<Record<string, readonly number[]>>;

/** The number of entries of each list of reference data. */
export type Lengths = ReferenceLists['lengths'];

/** The price of a field with everything that is selected inside, given its arguments after defaults. */
type PriceOf<Args> = (args: Args, children: Children, lengths: Lengths) => number;

/**
 * What a field declares beside its resolver. The executable schema has it as the `extensions` of the field. Types of pages
 * declare it once for the fields that return them.
 */
// biome-ignore lint/suspicious/noExplicitAny: the schema has checked the types of the arguments
export interface FieldRules<Args = any> {
  /** A number is the price of the field alone, 1 by default; what is selected inside counts once. */
  price?: number | PriceOf<Args>;
  /**
   * The price of reading all rows of a list, to find or to count entries. It is added to that of the field. Above 0, the
   * operation is serial: it waits for its caller's other serial operations.
   */
  scanPrice?: (args: Args, children: Children) => number;
  /**
   * Throws `invalid_parameter` for arguments that their types allow. Runs for the whole document before its first resolver;
   * resolvers call the same function, because REST runs them without this check.
   */
  check?: (args: Args, context: RequestContext) => unknown;
  /** The resolver that runs in place of type-graphql's call of a method. */
  // biome-ignore lint/suspicious/noExplicitAny: a field resolves objects of its own type
  resolve?: (source: any, args: Args, context: RequestContext) => unknown;
}

/** The price of reading all rows of a list, to find entries or to count them. */
export const priceOfScan = 2_500;

export const shownScanPrice = priceOfScan.toLocaleString('en');

/**
 * Declares the price of a field. By convention, an id in a list counts as half a field, a tag id as one: such lists are
 * quick to read.
 */
export function Price<Args>(price: number | PriceOf<Args>) {
  return Extensions({ price } satisfies FieldRules<Args>);
}

/** Declares a field that waits for a DataLoader: in each row, that takes four times as long as what the row has. */
export function LoadedPrice() {
  return Price(4);
}

/** Declares a list whose price is that of one entry, because only the field around it knows their number. */
export function EntryPrice() {
  return Price((_args, children) => total(children));
}

/** Declares the number of entries of a list, which is its price for each field of an entry. */
export function Entries<Args>(length: (args: Args, lengths: Lengths) => number) {
  return Price<Args>((args, children, lengths) => 1 + length(args, lengths) * total(children));
}

/** Declares the check of the arguments of a field, one for each: another would replace it. */
export function Check<Args>(check: (args: Args, context: RequestContext) => unknown) {
  return Extensions({ check } satisfies FieldRules<Args>);
}

/**
 * Resolves a field by a method of `(args, context)`, whose `this` is the object. Calling it through type-graphql takes several
 * times as long, which matters for fields that most responses have in each row.
 */
export function ResolveDirectly() {
  return <Method extends (args: never, context: RequestContext) => unknown>(
    target: object,
    field: string,
    { value }: TypedPropertyDescriptor<Method>,
  ) => {
    const resolve: FieldRules['resolve'] = (source, args, context) => value?.call(source, args as never, context);
    Extensions({ resolve })(target, field);
  };
}

/** Declares a field that a method resolves, as `ResolveDirectly`; `@Args` of its first parameter declares its arguments. */
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

export function total(children: Children): number {
  return sum(Object.values(children).map(sum));
}

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((result, number) => result + number, 0);
}

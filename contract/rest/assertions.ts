interface Assertion {
  /** The type of the values that it says something about; any, where it says so about all. */
  of?: string;
  /** Whether what is so by the one is so by the other, which has the keyword. */
  implies: (narrow: unknown, wide: unknown) => boolean;
}

const atLeast = (of: string, none: number): Assertion => ({
  of,
  implies: (narrow, wide) => Number(narrow ?? none) >= Number(wide),
});
const atMost = (of: string): Assertion => ({
  of,
  implies: (narrow, wide) => Number(narrow ?? Infinity) <= Number(wide),
});
const wider: Record<string, string> = { int32: 'int64', float: 'double' };

/** The keywords of JSON Schema that each say one thing about a value, whatever the others say. */
export const assertions: Record<string, Assertion> = {
  minLength: atLeast('string', 0),
  maxLength: atMost('string'),
  pattern: { of: 'string', implies: (narrow, wide) => narrow === wide },
  format: { implies: (narrow, wide) => narrow === wide || wider[String(narrow)] === wide },
  minimum: atLeast('number', -Infinity),
  exclusiveMinimum: atLeast('number', -Infinity),
  maximum: atMost('number'),
  exclusiveMaximum: atMost('number'),
  multipleOf: { of: 'number', implies: (narrow, wide) => Number.isInteger(Number(narrow) / Number(wide)) },
  minItems: atLeast('array', 0),
  maxItems: atMost('array'),
  uniqueItems: { of: 'array', implies: (narrow, wide) => narrow === true || wide === false },
  minProperties: atLeast('object', 0),
  maxProperties: atMost('object'),
};

import { GraphQLError, GraphQLScalarType, Kind } from 'graphql';
import { GraphQLDateTime } from 'graphql-scalars';

/** Also accepts a time without seconds, which Java sends for full minutes. */
export const DateTime = new GraphQLScalarType({
  ...GraphQLDateTime.toConfig(),
  parseValue: parse,
  parseLiteral: (node) => parse(node.kind === Kind.STRING ? node.value : undefined),
});

function parse(value: unknown): Date {
  const text = typeof value === 'string' ? value.replace(/(?<=T\d\d:\d\d)(?=Z|[+-])/i, ':00') : value;
  try {
    return GraphQLDateTime.parseValue(text);
  } catch {
    throw new GraphQLError('DateTime must be a time with an offset, such as 2026-01-01T00:00:00Z.');
  }
}

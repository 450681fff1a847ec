import type { RequestHandler } from 'express';
import type { GraphQLSchema } from 'graphql';
import type { SchemaObject } from 'openapi3-ts/oas31';
import type { z } from 'zod';
import type { Execute } from './execute.ts';
import type { ProblemSample } from './openapi/problem-sample.ts';

/** A v1 route, and all that its description says of it. What goes for every route is not repeated here. */
export interface Operation {
  id: string;
  method: 'GET' | 'POST' | 'PUT';
  /** As Express matches it. */
  path: string;
  access: 'reference' | 'partner';
  summary: string;
  description: string;
  /** Parses the query parameters and, apart, describes them. */
  query?: z.ZodObject;
  /** Parses the segments of the path. */
  segments?: z.ZodObject;
  /** Parses the fields of the body. */
  body?: z.ZodObject;
  /** What a successful answer is; derived from the GraphQL document that asks for it. */
  answer(schema: GraphQLSchema): SchemaObject;
  /** How a request can fail, beside what every route of its access has. */
  problems: readonly ProblemSample[];
  handle(execute: Execute): RequestHandler;
}

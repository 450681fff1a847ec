import type { RequestListener } from 'node:http';
import express from 'express';
import { parse, print } from 'graphql';
import type { Logger } from 'pino';
import type { CreateContext } from '../../domain/request/context-factory.ts';
import type { Locale } from '../../kernel/localization/locale.ts';
import { createScope, runInScope } from '../../kernel/request/scope.ts';
import { restPath } from '../../kernel/request/surface-path.ts';
import { ask } from '../../platform/http/ask.ts';
import type { DocumentServer } from '../rest/execute.ts';
import { problemHandler } from '../rest/problem.ts';
import { restRouter } from '../rest/router.ts';

/** A request of a REST v1 route, by which the route is shown. */
export interface ExampleRequest {
  method: string;
  path: string;
  body?: object;
}

/** What a route executes, and what both surfaces answer; no answers where the route refused. */
export interface Example extends ExampleRequest {
  document: string;
  variables: Record<string, unknown>;
  answers?: { rest: unknown; graphql: unknown };
}

/** What asks the routes, and in which language. */
export interface Parts {
  graphql: DocumentServer;
  createContext: CreateContext;
  locale: Locale;
  log: Logger;
  token?: string;
}

/** Sends a request through the real route, and notes the document that it executes. */
export async function askExample(request: ExampleRequest, parts: Parts): Promise<Example> {
  const { graphql, createContext, locale, log, token } = parts;
  const executed: Pick<Example, 'document' | 'variables'> & { answer?: unknown } = { document: '', variables: {} };

  const recorder: DocumentServer = {
    async executeOperation(operation, options) {
      executed.document = print(parse(operation.query));
      executed.variables = operation.variables;
      const answer = await graphql.executeOperation(operation, options);
      if (answer.body.kind === 'single') executed.answer = answer.body.singleResult;
      return answer;
    },
  };

  const app = express().use(restPath, restRouter(recorder, createContext)).use(problemHandler(log));
  const { method, path: url, body } = request;
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const { status, text } = await runInScope(createScope('example', locale), () =>
    ask(app as RequestListener, { method, url, headers, body }),
  );
  const { answer, ...document } = executed;
  if (status >= 300) return { ...request, ...document };
  return { ...request, ...document, answers: { rest: JSON.parse(text), graphql: answer } };
}

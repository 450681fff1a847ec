import type { RequestListener, Server } from 'node:http';
import express, { type Request, type Response } from 'express';
import type { Logger } from 'pino';
import type { Config } from './config.ts';
import { type Connection, connect } from './database/connect.ts';
import type { Database } from './database/database.ts';
import { ensureMigrated, migrateToLatest } from './database/migrate.ts';
import { AppError } from './errors/app-error.ts';
import { graphqlRouter } from './graphql/router.ts';
import { createSchema } from './graphql/schema.ts';
import { createGraphQLServer, type GraphQLServer } from './graphql/server.ts';
import { accessLog } from './http/access-log.ts';
import { contextFactory } from './http/context.ts';
import { healthRouter } from './http/health.ts';
import { requireHost } from './http/host.ts';
import { createLog } from './http/log.ts';
import { withRequestScope } from './http/request-scope.ts';
import { drain, listen } from './http/server.ts';
import { answerProblem, notFound } from './rest/problem.ts';
import { restRouter } from './rest/router.ts';
import { answerUnreadable } from './rest/unreadable.ts';
import { seedDemo } from './seed/demo.ts';
import { seedReferenceData } from './seed/reference.ts';

interface Overrides {
  log?: Logger;
  /** Sees the text of every SQL statement. */
  onStatement?: (sql: string) => void;
}

export interface App {
  /** Connects, prepares the embedded database, listens; resolves to the base URL. Throws a StartError if it cannot. */
  start(): Promise<string>;
  /** Finishes the requests in hand, then closes the database; called again, resolves when that is done. */
  stop(): Promise<void>;
  /** The database of a started app. */
  db(): Database;
}

/** The whole service, wired from its configuration; nothing happens before `start`. */
export function createApp(config: Config, { log = createLog(config.logLevel), onStatement }: Overrides = {}): App {
  let connection: Connection | undefined;
  let graphql: GraphQLServer | undefined;
  let http: Server | undefined;
  let stopped: Promise<void> | undefined;

  // Each part is stopped whatever became of the one before it, so that the database's lock is never left behind.
  async function stopParts(): Promise<void> {
    try {
      if (http !== undefined) await drain(http);
      await graphql?.stop();
    } finally {
      await connection?.close();
    }
  }

  return {
    async start() {
      connection = await connect(config, log, { onStatement });
      await prepareDatabase(config, connection.db);
      const { schema } = createSchema(config.referenceAccess);
      const server = createGraphQLServer(schema, config, log);
      await server.start();
      graphql = server;
      const isDraining = () => stopped !== undefined;
      const handler = createHandler({ config, db: connection.db, graphql, log, isDraining });
      const listening = await listen(handler, config, answerUnreadable(log));
      http = listening.server;
      log.info({ url: listening.url }, 'listening');
      return listening.url;
    },
    stop() {
      stopped ??= stopParts();
      return stopped;
    },
    db() {
      if (connection === undefined) throw new Error('the app is not started');
      return connection.db;
    },
  };
}

// The embedded database is ours to prepare; a PostgreSQL is its operator's.
async function prepareDatabase({ databaseUrl }: Config, db: Database): Promise<void> {
  if (databaseUrl === undefined) {
    await migrateToLatest(db);
    await seedReferenceData(db);
    await seedDemo(db);
    return;
  }
  await ensureMigrated(db);
}

interface Parts {
  config: Config;
  db: Database;
  graphql: GraphQLServer;
  log: Logger;
  isDraining: () => boolean;
}

function createHandler({ config, db, graphql, log, isDraining }: Parts): RequestListener {
  const createContext = contextFactory(db, config.lookupPageSize);
  const answer = answerProblem(log);
  const surfaces = express().disable('x-powered-by');
  surfaces.use(requireHost);
  surfaces.use(healthRouter(db, isDraining));
  surfaces.use('/graphql', graphqlRouter(graphql, createContext, config.documentLimits, log));
  surfaces.use('/partner_portal/v1', restRouter(graphql, createContext));
  surfaces.use(notFound, answer);

  const writeAccessLog = accessLog(log);
  return (request, response) =>
    withRequestScope(request, response, () => {
      writeAccessLog(request, response);
      const [req, res] = [request as Request, response as Response];
      // What Express cannot route, as its target is no URL, it gives back.
      surfaces(req, res, () => answer(new AppError('malformed_request'), req, res, () => res.destroy()));
    });
}

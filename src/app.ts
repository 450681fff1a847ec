import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express, { type Express } from 'express';
import type { Logger } from 'pino';
import type { Config } from './config.ts';
import { type Connection, connect } from './database/connect.ts';
import type { Database } from './database/database.ts';
import { listPendingMigrations, migrateToLatest } from './database/migrate.ts';
import { StartError } from './errors/start-error.ts';
import { graphqlRouter } from './graphql/router.ts';
import { createSchema } from './graphql/schema.ts';
import { createGraphQLServer, type GraphQLServer } from './graphql/server.ts';
import { accessLog } from './http/access-log.ts';
import { contextFactory } from './http/context.ts';
import { createLog } from './http/log.ts';
import { withRequestScope } from './http/request-scope.ts';
import { answerProblem, notFound } from './rest/problem.ts';
import { restRouter } from './rest/router.ts';
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
  /** Finishes the requests in hand, then closes the database. */
  stop(): Promise<void>;
  /** The database of a started app. */
  db(): Database;
}

/** How long requests in hand may take to finish on stop, in ms. */
const drainTimeout = 10_000;

/** The whole service, wired from its configuration; nothing happens before `start`. */
export function createApp(config: Config, { log = createLog(config.logLevel), onStatement }: Overrides = {}): App {
  let connection: Connection | undefined;
  let graphql: GraphQLServer | undefined;
  let http: Server | undefined;

  return {
    async start() {
      connection = await connect(config, log, onStatement);
      await prepareDatabase(config, connection.db);
      const { schema } = createSchema(config.referenceAccess);
      graphql = createGraphQLServer(schema, config.introspection, log);
      await graphql.start();
      http = await listen(createExpress(config, connection.db, graphql, log), config, log);
      return urlOf(http, config.host);
    },
    async stop() {
      if (http?.listening) await drain(http);
      await graphql?.stop();
      await connection?.close();
    },
    db() {
      if (connection === undefined) throw new Error('the app is not started');
      return connection.db;
    },
  };
}

async function prepareDatabase(config: Config, db: Database): Promise<void> {
  if (config.databaseUrl === undefined) {
    await migrateToLatest(db);
    await seedReferenceData(db);
    await seedDemo(db);
    return;
  }
  const pending = await listPendingMigrations(db);
  if (pending.length > 0) {
    throw new StartError(
      `The database lacks ${pending.length} migrations (${pending.join(', ')}). Run: npm run -s admin -- migrate`,
    );
  }
}

function createExpress(config: Config, db: Database, graphql: GraphQLServer, log: Logger): Express {
  const createContext = contextFactory(db, config.lookupPageSize, log);
  const app = express().disable('x-powered-by');
  app.use('/graphql', graphqlRouter(graphql, createContext, log));
  app.use('/partner_portal/v1', restRouter(graphql, createContext));
  app.use(notFound, answerProblem(log));
  return app;
}

async function listen(app: Express, { port, host }: Config, log: Logger): Promise<Server> {
  const writeAccessLog = accessLog(log);
  const server = createServer({ headersTimeout: 10_000, requestTimeout: 30_000, keepAliveTimeout: 75_000 });
  server.on('request', (request, response) => {
    withRequestScope(request, response, () => {
      writeAccessLog(request, response);
      app(request, response);
    });
  });
  server.listen(port, host);
  await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EADDRINUSE')
      throw new StartError(`Port ${port} of ${host} is in use. Set PORT to another one.`);
    if (error.code === 'EADDRNOTAVAIL')
      throw new StartError(`This machine has no address ${host}. Set HOST to one it has.`);
    if (error.code === 'EACCES')
      throw new StartError(`Port ${port} may not be used by this user. Set PORT to another one.`);
    throw error;
  });
  return server;
}

async function drain(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  const timer = setTimeout(() => server.closeAllConnections(), drainTimeout);
  await closed;
  clearTimeout(timer);
}

function urlOf(server: Server, host: string): string {
  const { port } = server.address() as AddressInfo;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

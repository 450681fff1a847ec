import { currentScope } from '../../kernel/request/scope.ts';
import type { Middleware } from '../http/middleware.ts';

/** Adds `Server-Timing` to each response: the time to its first byte, and the part of the database. */
export const serverTiming: Middleware = (_request, response, next) => {
  const start = performance.now();
  const scope = currentScope();
  response.beforeHead = () => {
    const { databaseTime = 0, statements = 0 } = scope ?? {};
    const total = `total;dur=${(performance.now() - start).toFixed(2)}`;
    response.setHeader('Server-Timing', `${total}, db;dur=${databaseTime.toFixed(2)};desc="${statements} statements"`);
  };
  next();
};

import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import helmet from 'helmet';
import type { Middleware } from './middleware.ts';

/** The headers by which browsers protect whoever opens an answer; a page puts a policy of its own in place of this one. */
export const answerHeaders = headersOf(
  helmet({
    // The domain's other hosts are not ours to bind.
    strictTransportSecurity: { maxAge: 31_536_000, includeSubDomains: false },
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { 'default-src': ["'none'"], 'frame-ancestors': ["'none'"] },
    },
  }),
);

export const securityHeaders: Middleware = (_request, response, next) => {
  for (const [name, value] of answerHeaders) response.setHeader(name, value);
  next();
};

// Found out once: they do not depend on the request.
function headersOf(setHeaders: ReturnType<typeof helmet>): readonly [name: string, value: string][] {
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  setHeaders(response.req, response, () => {});
  return Object.entries(response.getHeaders()).map(([name, value]) => [name, String(value)]);
}

import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import helmet from 'helmet';
import type { Middleware } from './middleware.ts';

/**
 * The headers by which browsers protect whoever opens an answer, names and values in turn; a page puts a policy of its own in
 * place of this one.
 */
export const answerHeaders = headersOf(
  helmet({
    // The domain's other hosts are not ours to bind.
    strictTransportSecurity: { maxAge: 31_536_000, includeSubDomains: false },
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { 'default-src': ["'none'"], 'frame-ancestors': ["'none'"] },
    },
    // These are about pages and their plug-ins.
    originAgentCluster: false,
    xDnsPrefetchControl: false,
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
  }),
);

export const securityHeaders: Middleware = (_request, response, next) => {
  response.gathered?.push(...answerHeaders);
  next();
};

// Found out once: they do not depend on the request.
function headersOf(setHeaders: ReturnType<typeof helmet>): readonly string[] {
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  setHeaders(response.req, response, () => {});
  return Object.entries(response.getHeaders()).flat().map(String);
}

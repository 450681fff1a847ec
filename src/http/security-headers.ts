import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import helmet from 'helmet';
import type { Middleware } from './middleware.ts';

const common = {
  // The domain's other hosts are not ours to bind.
  strictTransportSecurity: { maxAge: 31_536_000, includeSubDomains: false },
};

/** The headers by which browsers protect whoever opens an answer: the same for every one that is no page; names and values in turn. */
export const answerHeaders = headersOf(
  helmet({
    ...common,
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

// Apollo's page brings a policy of its own, in a meta element.
const pageHeaders = headersOf(helmet({ ...common, contentSecurityPolicy: false }));

export function securityHeaders(isPage: (request: IncomingMessage) => boolean): Middleware {
  return (request, response, next) => {
    const headers = isPage(request) ? pageHeaders : answerHeaders;
    response.gathered?.push(...headers);
    next();
  };
}

// Found out once: they do not depend on the request.
function headersOf(setHeaders: ReturnType<typeof helmet>): readonly string[] {
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  setHeaders(response.req, response, () => {});
  return Object.entries(response.getHeaders()).flat().map(String);
}

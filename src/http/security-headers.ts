import type { IncomingMessage } from 'node:http';
import helmet from 'helmet';
import type { Middleware } from './middleware.ts';

const common = {
  // The domain's other hosts are not ours to bind.
  strictTransportSecurity: { maxAge: 31_536_000, includeSubDomains: false },
};

const forAnswers = helmet({
  ...common,
  contentSecurityPolicy: {
    useDefaults: false,
    directives: { 'default-src': ["'none'"], 'frame-ancestors': ["'none'"] },
  },
});

// Apollo's page brings a policy of its own, in a meta element.
const forPages = helmet({ ...common, contentSecurityPolicy: false });

/** The headers by which browsers protect whoever opens an answer. */
export function securityHeaders(isPage: (request: IncomingMessage) => boolean): Middleware {
  return (request, response, next) => {
    const apply = isPage(request) ? forPages : forAnswers;
    apply(request, response, next);
  };
}

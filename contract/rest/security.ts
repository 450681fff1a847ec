import { type Changes, unjudged } from './members.ts';
import { type Documents, type Referable, resolve } from './reference.ts';

/** Security schemes that are needed together, each with its scopes. */
export type Alternative = Record<string, string[]>;

export interface Secured {
  security?: Alternative[];
  components?: { securitySchemes?: Record<string, Referable<object>> };
}

/** What breaks clients in how they say who they are: each way that was enough must still be. */
export function* securityChanges(
  was: Alternative[] | undefined,
  is: Alternative[] | undefined,
  name: string,
  { released, current }: Documents<Secured>,
): Changes {
  const after = alternatives(is ?? current.security);
  for (const known of alternatives(was ?? released.security)) {
    const isEnough = after.some((needed) =>
      Object.entries(needed).every(
        ([scheme, scopes]) => scopes.every((one) => known[scheme]?.includes(one)) && known[scheme],
      ),
    );
    const callers = Object.keys(known).join(' and ');
    if (!isEnough) yield `${name} is no longer open to ${callers ? `callers with ${callers}` : 'everybody'}`;
    for (const scheme of Object.keys(known)) {
      const [before, now] = [schemeOf(released, scheme), schemeOf(current, scheme)];
      yield* unjudged(before, now, ['bearerFormat'], `The security scheme ${scheme}`, { released, current });
    }
  }
}

// No requirement is one of nothing.
function alternatives(security: Alternative[] = []): Alternative[] {
  return security.length === 0 ? [{}] : security;
}

function schemeOf(document: Secured, scheme: string): object {
  return resolve(document, document.components?.securitySchemes?.[scheme] ?? {});
}

/** Where the surfaces are: below these paths. */
export const graphqlPath = '/graphql';
export const restPath = '/partner_portal/v1';

// The target may be a whole URL.
const surfacePath = /^(?:https?:\/\/[^/?#]+)?\/(?:(graphql)|partner_portal)(?![^/?#])/i;

/** The surface to which Express would route a URL; `none` for pages and unknown paths. */
export function surfaceOf({ url = '' }: { url?: string | undefined }): 'graphql' | 'rest' | 'none' {
  const match = surfacePath.exec(url);
  if (match === null) return 'none';
  return match[1] === undefined ? 'rest' : 'graphql';
}

export const isGraphQL = (request: Parameters<typeof surfaceOf>[0]) => surfaceOf(request) === 'graphql';

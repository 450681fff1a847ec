export const graphqlPath = '/graphql';
export const restPath = '/partner_portal/v1';

const surfacePath = /^\/+(?:(graphql)|partner_portal)(?![^/?#])/;

/**
 * The surface to which Express would route a request target in origin form, once its repeated slashes are one; `none` for
 * pages and unknown paths.
 */
export function findSurface({ url = '' }: { url?: string | undefined }): 'graphql' | 'rest' | 'none' {
  const match = surfacePath.exec(url);
  if (match === null) return 'none';
  return match[1] === undefined ? 'rest' : 'graphql';
}

export const isGraphQL = (request: Parameters<typeof findSurface>[0]) => findSurface(request) === 'graphql';

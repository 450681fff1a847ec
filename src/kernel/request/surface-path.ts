export const graphqlPath = '/graphql';
export const restPath = '/partner_portal/v1';

const surfacePath = /^\/+(?:(graphql)|partner_portal)(?![^/?#])/;

/** The surface that Express would route to, once repeated slashes are one; `none` for pages and unknown paths. */
export function findSurface({ url = '' }: { url?: string | undefined }): 'graphql' | 'rest' | 'none' {
  const match = surfacePath.exec(url);
  if (match === null) return 'none';
  return match[1] === undefined ? 'rest' : 'graphql';
}

export const isGraphQL = (request: Parameters<typeof findSurface>[0]) => findSurface(request) === 'graphql';

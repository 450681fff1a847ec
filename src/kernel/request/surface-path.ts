/** Where the surfaces are: below these paths. */
export const graphqlPath = '/graphql';
export const restPath = '/partner_portal/v1';

/** Whose a request is; `none` where it is nobody's. */
export type Surface = 'graphql' | 'rest' | 'page' | 'probe' | 'none';

/** What a request asks for, as its log line, metrics and trace name it: never by a client's own values. */
export interface Endpoint {
  surface: Surface;
  /** One of few: the pattern of a path, `/partner_portal/v1/product_tags/:id`; on GraphQL the type of the operation and its field. */
  route: string;
  /** On GraphQL, what the client calls the operation. */
  operation?: string;
}

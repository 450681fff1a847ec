export type Surface = 'graphql' | 'rest' | 'page' | 'probe';

/** What a request asks for, as its log line, metrics and trace name it: never by a client's own values. */
export interface Endpoint {
  surface: Surface;
  /** One of few: the pattern of a route, such as `/product_tags/:id`; on GraphQL the type of the operation and its field. */
  route: string;
  /** On GraphQL, what the client calls the operation. */
  operation?: string;
}

import { getContract, type RestContract } from './rest-contract.ts';

export const exchanges: string[] = [];

export interface Answer<Body> {
  status: number;
  headers: Headers;
  body: Body;
}

export interface GraphQLBody<Data> {
  data?: Data | null;
  errors?: { message: string; path?: (string | number)[]; extensions: { code: string; requestId: string } }[];
  extensions?: { cost: { used: number; max: number } };
}

export interface Options {
  /** `en` or `ar`, or any other Accept-Language header. */
  language?: string;
  token?: string | undefined;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

export class Client {
  readonly #url: string;
  readonly #contract: RestContract;

  /** Checks every REST response against the contract. */
  constructor(url: string, contract = getContract()) {
    this.#url = url;
    this.#contract = contract;
  }

  /** Sends a request to a REST v1 path; an object as `body` is sent as JSON, a URLSearchParams as a form. */
  // biome-ignore lint/suspicious/noExplicitAny: tests check the unknown body key by key
  async rest<Body = any>(
    method: string,
    path: string,
    options: Options & { body?: unknown } = {},
  ): Promise<Answer<Body>> {
    const { body } = options;
    const raw = body === undefined || typeof body === 'string' || body instanceof URLSearchParams;
    return this.fetch(method, `/partner_portal/v1${path}`, {
      ...options,
      body: raw ? body : JSON.stringify(body),
      headers: { ...(!raw && { 'Content-Type': 'application/json' }), ...options.headers },
    });
  }

  // biome-ignore lint/suspicious/noExplicitAny: tests check the unknown data key by key
  async graphql(query: string, variables: object = {}, options: Options = {}): Promise<Answer<GraphQLBody<any>>> {
    return this.fetch('POST', '/graphql', {
      ...options,
      body: JSON.stringify({ query, variables }),
      headers: { 'Content-Type': 'application/json', ...options.headers },
    });
  }

  /** Sends any request; parses a JSON response and returns others as text. */
  async fetch<Body>(
    method: string,
    path: string,
    { language, token, headers = {}, signal, body }: Options & { body?: string | URLSearchParams | undefined } = {},
  ): Promise<Answer<Body>> {
    const response = await fetch(this.#url + path, {
      method,
      redirect: 'manual',
      headers: {
        ...(language !== undefined && { 'Accept-Language': language }),
        ...(token !== undefined && { Authorization: `Bearer ${token}` }),
        ...headers,
      },
      ...(signal !== undefined && { signal }),
      ...(body !== undefined && { body }),
    });
    const text = await response.text();
    exchanges.push(
      `${method} ${path} ${String(body ?? '')}\n${response.status} ${response.headers.get('x-request-id')} ${text}`,
    );
    this.#contract.check({
      method,
      target: path,
      contentType: body instanceof URLSearchParams ? 'application/x-www-form-urlencoded' : headers['Content-Type'],
      sent: body?.toString(),
      status: response.status,
      headers: response.headers,
      text,
    });
    const isJson = /\bjson\b/.test(response.headers.get('content-type') ?? '') && text !== '';
    return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
  }
}

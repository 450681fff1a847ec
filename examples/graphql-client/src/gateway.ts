import { setTimeout } from 'node:timers/promises';
import type { TypedDocumentString } from './documents.generated.ts';

export interface Settings {
  /** Base URL of the service, such as http://127.0.0.1:4000. */
  url: string;
  token: string;
  language: 'en' | 'ar';
}

interface TopLevelError {
  message: string;
  extensions: { code: string; requestId: string };
}

/** A request that was not executed: an invalid token, a limit or an outage. Rejected mutations have `userErrors`. */
export class GatewayError extends Error {
  readonly errors: readonly TopLevelError[];

  constructor(errors: readonly TopLevelError[]) {
    super(
      errors.map(({ message, extensions }) => `${extensions.code}: ${message} (${extensions.requestId})`).join('; '),
    );
    this.errors = errors;
  }
}

export type Send = <Data, Variables>(
  document: TypedDocumentString<Data, Variables>,
  variables: Variables,
) => Promise<Data>;

const attempts = 5;

/** Each document determines the type of its response. Retries after `Retry-After`. */
export function connect({ url, token, language }: Settings): Send {
  const send = async <Data, Variables>(
    document: TypedDocumentString<Data, Variables>,
    variables: Variables,
    attempt = 1,
  ): Promise<Data> => {
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Accept: 'application/graphql-response+json',
        'Accept-Language': language,
        Authorization: `Bearer ${token}`,
      },
      body: JSON.stringify({ query: document.toString(), variables }),
      signal: AbortSignal.timeout(30_000),
    });
    // After 503, an update by version may have been done, and would conflict with itself.
    const isUpdate = Object.hasOwn(variables as object, 'ifMatch');
    if (attempt < attempts && ([409, 429].includes(response.status) || (response.status === 503 && !isUpdate))) {
      await setTimeout(1_000 * Number(response.headers.get('Retry-After') ?? 2 ** (attempt - 1)));
      return send(document, variables, attempt + 1);
    }
    const body = (await response.json().catch(() => ({}))) as { data?: Data; errors?: TopLevelError[] };
    const { data, errors } = body;
    if (errors !== undefined) throw new GatewayError(errors);
    if (data == null) throw new Error(`HTTP ${response.status} without data`);
    return data;
  };
  return send;
}

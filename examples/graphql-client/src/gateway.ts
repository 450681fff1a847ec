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

/** A request that was not executed: no live token, a limit or an outage. Rejected mutations have `userErrors`. */
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

/** Sends documents. Each document determines the type of its response. */
export function connect({ url, token, language }: Settings): Send {
  return async (document, variables) => {
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Accept: 'application/graphql-response+json',
        'Accept-Language': language,
        Authorization: `Bearer ${token}`,
      },
      body: JSON.stringify({ query: document.toString(), variables }),
    });
    const { data, errors } = (await response.json()) as { data: never; errors?: TopLevelError[] };
    if (errors !== undefined) throw new GatewayError(errors);
    return data;
  };
}

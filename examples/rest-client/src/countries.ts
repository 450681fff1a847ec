import type { Gateway } from './gateway.ts';
import type { components } from './v1.generated.ts';

type Country = components['schemas']['Country'];

/** The countries, cached between calls: the gateway sends them again only if their ETag has changed. */
export class Countries {
  readonly #gateway: Gateway;
  #kept: { etag: string; countries: Country[] } | undefined;

  constructor(gateway: Gateway) {
    this.#gateway = gateway;
  }

  async list(): Promise<Country[]> {
    const { data, response } = await this.#gateway.GET('/countries', {
      // Otherwise fetch would answer from a cache of its own.
      cache: 'no-cache',
      params: { header: { ...(this.#kept && { 'If-None-Match': this.#kept.etag }) } },
    });
    console.log(`GET /countries: ${response.status}`);
    if (response.status === 304 && this.#kept !== undefined) return this.#kept.countries;
    if (data === undefined) throw new Error(`no countries: ${response.status}`);
    this.#kept = { etag: response.headers.get('ETag') ?? '', countries: data.countries };
    return data.countries;
  }
}

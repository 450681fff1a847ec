import type { Gateway } from './gateway.ts';
import type { components } from './v1.generated.ts';

type Country = components['schemas']['Country'];

/** The countries, cached between calls: the gateway sends them again only if their ETag has changed. */
export class Countries {
  readonly #gateway: Gateway;
  #cached: { etag: string; countries: Country[] } | undefined;

  constructor(gateway: Gateway) {
    this.#gateway = gateway;
  }

  async list(): Promise<Country[]> {
    const { data, response } = await this.#gateway.GET('/countries', {
      // Otherwise fetch may respond from its own cache.
      cache: 'no-cache',
      params: { header: { ...(this.#cached && { 'If-None-Match': this.#cached.etag }) } },
    });
    console.log(`GET /countries: ${response.status}`);
    if (response.status === 304 && this.#cached !== undefined) return this.#cached.countries;
    if (data === undefined) throw new Error(`no countries: ${response.status}`);
    this.#cached = { etag: response.headers.get('ETag') ?? '', countries: data.countries };
    return data.countries;
  }
}

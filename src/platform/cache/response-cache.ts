import type { Request, RequestHandler, Response } from 'express';
import { LRUCache } from 'lru-cache';
import { memoryBounds } from '../../kernel/memory-bounds.ts';
import { currentQuarterHour } from '../../kernel/quarter-hour.ts';
import type { Endpoint } from '../../kernel/request/scope.ts';
import { isGraphQL } from '../../kernel/request/surface-path.ts';
import { hasBody, readBytes } from '../http/body.ts';
import { isCostRequested } from '../http/headers.ts';
import { send } from '../http/send.ts';
import { EncodedBody } from './encoded-body.ts';

/** In bytes, besides key and body. */
const responseOverhead = 2_048;

/** In bytes. Queries of reference data are short. */
const maxBodyLength = 16 * 1_024;

const maxTogether = 16;

interface CachedResponse {
  body: EncodedBody;
  headers: Map<string, string>;
  endpoint: Endpoint | undefined;
  quarterHour: number | undefined;
}

/** Valid until the reference data changes, or the quarter hour of their UTC offsets ends. */
export class ResponseCache {
  readonly #getVersion: () => unknown;
  readonly #responses = new LRUCache<string, CachedResponse>({
    maxSize: memoryBounds.responses,
    sizeCalculation: ({ body: { size } }, key) => size + 2 * key.length + responseOverhead,
  });
  readonly #ready: (() => Promise<void>)[] = [];
  #version: unknown;
  #hits = 0;
  #misses = 0;

  /** `getVersion` returns another value after each change of the data. */
  constructor(getVersion: () => unknown) {
    this.#getVersion = getVersion;
  }

  get statistics() {
    const { size, calculatedSize } = this.#responses;
    return { hits: this.#hits, misses: this.#misses, responses: size, bytes: calculatedSize };
  }

  sendStored(response: Response): boolean {
    const { context } = response.locals;
    const version = this.#getVersion();
    if (version !== this.#version) this.#responses.clear();
    this.#version = version;
    const stored = context.cacheKey === undefined ? undefined : this.#responses.get(context.cacheKey);
    if (stored === undefined || (stored.quarterHour !== undefined && stored.quarterHour !== currentQuarterHour()))
      return false;
    this.#hits += 1;
    context.endpoint = stored.endpoint;
    response.setHeaders(stored.headers);
    this.#sendTogether(() => stored.body.send(response));
    return true;
  }

  /** A write wakes its client, so the stored responses of one event-loop iteration are written together. */
  #sendTogether(send: () => Promise<void>): void {
    const count = this.#ready.push(send);
    if (count === 1) setImmediate(() => this.#sendReady());
    if (count === maxTogether) this.#sendReady();
  }

  #sendReady(): void {
    for (const send of this.#ready.splice(0)) void send();
  }

  /** Call it after the other headers are set. Resolves once the body is compressed. */
  async sendAndStore(response: Response, status: number, text: string): Promise<void> {
    const { isCacheable, cacheKey } = response.locals.context;
    // A client cannot revalidate a response to POST.
    const isReusable = cacheKey !== undefined || response.req.method !== 'POST';
    if (status !== 200 || !isCacheable || !isReusable) return send(response, status, text);
    const body = new EncodedBody(text);
    if (cacheKey !== undefined) this.#store(cacheKey, response, body);
    await body.send(response, cacheKey === undefined);
  }

  #store(key: string, response: Response, body: EncodedBody): void {
    const { dataVersion, endpoint, quarterHour } = response.locals.context;
    this.#misses += 1;
    // The data changed while this response was made.
    if (dataVersion !== this.#version) return;
    const headers = new Map(['Content-Type', 'Cache-Control'].map((name) => [name, String(response.getHeader(name))]));
    this.#responses.set(key, { body, headers, endpoint, quarterHour });
  }
}

/** `getRestKey` returns undefined if the response must not be stored. */
export function serveCached(cache: ResponseCache, getRestKey: (url: string) => string | undefined): RequestHandler {
  return async (request, response, next) => {
    const { context } = response.locals;
    const restKey = () => (isGetOrHead(request) ? getRestKey(request.url) : undefined);
    const key = isGraphQL(request) ? await createGraphQLKey(request, response) : restKey();
    // V8 caches the hash of this string; a concatenation would be hashed on every lookup.
    context.cacheKey = key === undefined || context.locale === 'en' ? key : `${context.locale} ${key}`;
    if (!cache.sendStored(response)) next();
  };
}

function isGetOrHead(request: Request): boolean {
  return (request.method === 'GET' || request.method === 'HEAD') && !hasBody(request);
}

async function createGraphQLKey(request: Request, response: Response): Promise<string | undefined> {
  const { method, headers, url } = request;
  // With the header, the response depends on the caller.
  if (isCostRequested(headers)) return undefined;
  // Neither a URL nor a header contains a line break.
  const head = `${url}\n${headers.accept}\n${headers['content-type']}`;
  if (isGetOrHead(request)) return head;
  if (method !== 'POST' || headers['content-encoding'] !== undefined) return undefined;
  const body = await readBytes(request, response);
  return body === undefined || body.length > maxBodyLength ? undefined : `${head}\n${body.toString('latin1')}`;
}

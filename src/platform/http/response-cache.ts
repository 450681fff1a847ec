import type { ServerResponse } from 'node:http';
import { LRUCache } from 'lru-cache';
import { memoryBounds } from '../../kernel/memory-bounds.ts';
import { isGraphQL } from '../../kernel/request/surface-path.ts';
import { hasBody, receivedBody } from './body.ts';
import type { Middleware } from './middleware.ts';
import { addHeader, CachedResponse, gatewayResponse, type PendingResponse, scopeOf, send } from './response.ts';

/** Memory of a cached response besides its key and its body, in bytes (measured, rounded up). */
const responseOverhead = 2_048;

/** In bytes. Responses to longer requests are not cached. */
const maxBodyLength = 16 * 1_024;

/** In ms. Time zones change their offsets from UTC on quarter hours only. */
const quarterHour = 15 * 60_000;

/** The current quarter hour, counted from 1970. */
export const currentQuarter = () => Math.floor(Date.now() / quarterHour);

/**
 * Declares whether a response contains only reference data, so that equal requests get equal responses. The cache
 * stores only responses that were declared public and never private.
 */
export function declarePublic(response: ServerResponse, isPublic: boolean): void {
  const { pending } = gatewayResponse(response);
  if (pending === undefined) return;
  pending.isPublic = isPublic && pending.isPublic !== false;
  if (!isPublic) pending.resolve(undefined);
}

/** Declares that a response contains UTC offsets, so the cache sends it only in that quarter hour. */
export function declareQuarter(response: ServerResponse, quarter: number): void {
  const { pending } = gatewayResponse(response);
  if (pending !== undefined) pending.quarter ??= quarter;
}

/**
 * Sends the whole response of a surface, after all its other headers are set. A public one also goes into the cache.
 * Resolves once it is compressed, which ends work in a lane.
 */
export async function respond(response: ServerResponse, status: number, text: string): Promise<void> {
  const { pending } = gatewayResponse(response);
  const isStorable = pending?.isPublic || !String(response.getHeader('Cache-Control')).includes('no-store');
  if (status !== 200 || !isStorable) {
    pending?.resolve(undefined);
    const bytes = Buffer.from(text);
    return send(response, status, ['Content-Length', String(bytes.length)], bytes);
  }
  const made = new CachedResponse(response, text, scopeOf(response).endpoint);
  pending?.resolve(pending.isPublic ? made : undefined);
  await made.send(response, !pending?.isPublic);
}

/** Calls `respond` with a JSON value. */
export function respondJson(response: ServerResponse, value: unknown, status = 200): Promise<void> {
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  return respond(response, status, JSON.stringify(value));
}

interface Stored {
  cached: CachedResponse;
  quarter: number | undefined;
}

/**
 * Stores public responses as bytes until the version of the reference data changes, or the quarter hour of their UTC
 * offsets ends. Requests for a response in progress wait for it.
 */
export class ResponseCache {
  readonly #versionOf: () => unknown;
  readonly #responses = new LRUCache<string, Stored>({
    maxSize: memoryBounds.responses,
    sizeCalculation: ({ cached: { size } }, key) => size + 2 * key.length + responseOverhead,
  });
  readonly #pending = new Map<string, PendingResponse>();
  #version: unknown;
  #hits = 0;
  #misses = 0;

  /** `versionOf` returns another value after each change of the data. */
  constructor(versionOf: () => unknown) {
    this.#versionOf = versionOf;
  }

  /** Sends the response stored under the key, or the one that `next` makes. */
  serve(key: string, response: ServerResponse, next: () => void): unknown {
    const version = this.#versionOf();
    if (version !== this.#version) this.#responses.clear();
    this.#version = version;
    const stored = this.#responses.get(key);
    if (stored !== undefined && (stored.quarter === undefined || stored.quarter === currentQuarter())) {
      return this.#send(stored.cached, response);
    }
    const pending = this.#pending.get(key);
    if (pending === undefined) return this.#make(key, response, next);
    // Waiting for another request's statements counts as database time.
    scopeOf(response).startDatabaseTime();
    return pending.promise.then((cached) => (cached === undefined ? next() : this.#send(cached, response)));
  }

  /** Public responses from the cache and not from it; number of stored responses, and their size in bytes. */
  get statistics() {
    const { size, calculatedSize } = this.#responses;
    return { hits: this.#hits, misses: this.#misses, responses: size, bytes: calculatedSize };
  }

  #send(cached: CachedResponse, response: ServerResponse): void {
    this.#hits += 1;
    scopeOf(response).endpoint = cached.endpoint;
    void cached.send(response);
  }

  #make(key: string, response: ServerResponse, next: () => void): void {
    const version = this.#version;
    const pending: PendingResponse = Promise.withResolvers();
    this.#pending.set(key, pending);
    gatewayResponse(response).pending = pending;
    response.once('close', () => pending.resolve(undefined));
    void pending.promise.then((cached) => {
      this.#pending.delete(key);
      if (cached === undefined) return;
      this.#misses += 1;
      // A response begun with an earlier version may lack later changes.
      if (version === this.#version) this.#responses.set(key, { cached, quarter: pending.quarter });
    });
    next();
  }
}

/**
 * Responds from the cache if it can, and calls `next` otherwise. `targetOf` reduces the URL of a read to what its
 * response depends on.
 */
export function serveCached(cache: ResponseCache, targetOf: (url: string) => string): Middleware {
  return (request, response, next) => {
    const { method, headers, url = '' } = request;
    const { accept, 'content-type': type } = headers;
    if ((method === 'GET' || method === 'HEAD') && !hasBody(request)) {
      if (!isGraphQL(request)) return cache.serve(keyOf(response, targetOf(url)), response, next);
      addHeader(response, 'Vary', 'Accept');
      return cache.serve(keyOf(response, `${method} ${url} ${accept} ${type}`), response, next);
    }
    if (method === 'POST' && isGraphQL(request) && headers['content-encoding'] === undefined) {
      return receivedBody(response).then((body) => {
        // Queries for reference data are short.
        if (body === undefined || body.length > maxBodyLength) return next();
        const text = `${url} ${accept} ${type} ${body.toString('latin1')}`;
        return cache.serve(keyOf(response, text), response, next);
      });
    }
    next();
  };
}

// An English key is the unchanged text, because the engine hashes it only once.
function keyOf(response: ServerResponse, request: string): string {
  const { locale } = scopeOf(response);
  return locale === 'en' ? request : `${locale} ${request}`;
}

import type { IncomingMessage, ServerResponse } from 'node:http';
import { LRUCache } from 'lru-cache';
import { currentDeadline, currentLocale, currentScope, noteEndpoint } from '../../kernel/request/scope.ts';
import { hasBody } from './body.ts';
import type { Middleware } from './middleware.ts';
import { peekBody } from './peek-body.ts';
import { ReadyAnswer } from './ready-answer.ts';

/** Most bytes of answers kept. */
const maxSize = 32 * 1024 * 1024;

/** Most requests known to be for what is not kept. */
const maxPrivate = 1_000;

/** Longest body that can ask for a kept answer, in bytes: documents about reference data are short. */
const maxBodySize = 16 * 1024;

/** Answers are made anew with every minute of the clock, in ms: none tells a UTC offset that is over. */
const minute = 60_000;

/** An answer that is being made: whether it is one to keep, which is known before it is there, and what it is. */
interface Making {
  /** As first declared; false too when nothing is declared until the end. */
  isPublic: Promise<boolean>;
  /** Whether it was declared to be the caller's own, not only failed. */
  isPrivate(): boolean;
  answer: Promise<ReadyAnswer | undefined>;
}

const declarations = new WeakMap<ServerResponse, (isPublic: boolean) => void>();

/**
 * Says of an answer to be whether it holds reference data alone, so that whoever asks the same gets the same. Of several
 * declarations the last counts; without one it is the caller's own.
 */
export function declarePublic(response: ServerResponse, isPublic: boolean): void {
  declarations.get(response)?.(isPublic);
}

/**
 * Keeps public answers as bytes and answers with them who asks the same, until the version of the reference data changes or
 * a minute is over. Who asks while an answer is made waits for it.
 */
export class AnswerCache {
  readonly #versionOf: () => unknown;
  readonly #answers = new LRUCache<string, ReadyAnswer>({
    maxSize,
    sizeCalculation: (answer, key) => answer.size + key.length,
  });
  readonly #private = new LRUCache<string, true>({ max: maxPrivate });
  readonly #making = new Map<string, Making>();
  #version: unknown;
  #minute = 0;
  #hits = 0;
  #misses = 0;

  /** `versionOf` gives what every kept answer was made of: another value after each change. */
  constructor(versionOf: () => unknown) {
    this.#versionOf = versionOf;
  }

  /** Answers with what is kept under the key, or with what `make` then answers. */
  answer(key: string, response: ServerResponse, make: () => void): void {
    this.#dropOutdated();
    const answer = this.#answers.get(key);
    if (answer !== undefined) {
      this.#send(answer, response);
      return;
    }
    const making = this.#making.get(key);
    if (making !== undefined) void this.#await(making, response, make);
    else if (this.#private.has(key)) make();
    else this.#make(key, response, make);
  }

  /** How many requests were answered with what was kept, and how many had it made; what is kept now, its size in bytes. */
  get statistics() {
    return { hits: this.#hits, misses: this.#misses, answers: this.#answers.size, bytes: this.#answers.calculatedSize };
  }

  #send(answer: ReadyAnswer, response: ServerResponse): void {
    this.#hits += 1;
    noteEndpoint(answer.endpoint);
    answer.send(response);
  }

  #dropOutdated(): void {
    const version = this.#versionOf();
    const thisMinute = Math.floor(Date.now() / minute);
    if (version === this.#version && thisMinute === this.#minute) return;
    this.#answers.clear();
    this.#version = version;
    this.#minute = thisMinute;
  }

  #make(key: string, response: ServerResponse, make: () => void): void {
    this.#misses += 1;
    const version = this.#version;
    const making = capture(response);
    this.#making.set(key, making);
    void making.answer.then((answer) => {
      this.#making.delete(key);
      // What has changed meanwhile may not be in it.
      if (answer !== undefined && version === this.#version) this.#answers.set(key, answer);
      if (making.isPrivate()) this.#private.set(key, true);
    });
    make();
  }

  async #await(making: Making, response: ServerResponse, make: () => void): Promise<void> {
    // Waiting for another's time with the database is time with it too.
    currentDeadline();
    const answer = (await making.isPublic) ? await making.answer : undefined;
    if (answer === undefined) make();
    else this.#send(answer, response);
  }
}

/** Headers of which Apollo wants one, with a value, on what a browser may otherwise send without asking first. */
const preflighted = ['x-apollo-operation-name', 'apollo-require-preflight'];

/** Answers through the cache; what it does not keep is for `next`. */
export function answerFrom(cache: AnswerCache, isGraphQL: (request: IncomingMessage) => boolean): Middleware {
  return (request, response, next) => {
    const { method, headers, url = '' } = request;
    const isGet = method === 'GET' || method === 'HEAD';
    if (!isGraphQL(request)) {
      if (isGet && !hasBody(request)) cache.answer(keyOf(url), response, next);
      else next();
    } else if (method === 'GET' && !hasBody(request)) {
      // Apollo lets a GET in only by such a header, which no other site can have a browser send.
      const isAllowed = preflighted.some((name) => headers[name]);
      cache.answer(keyOf(`${url} ${headers.accept} ${headers['content-type']} ${isAllowed}`), response, next);
    } else if (method === 'POST' && headers['content-encoding'] === undefined) {
      peekBody(request, maxBodySize, (body) => {
        if (body === undefined) return next();
        const { accept, 'content-type': type } = headers;
        cache.answer(keyOf(`${url} ${accept} ${type} ${body.toString('latin1')}`), response, next);
      });
    } else {
      next();
    }
  };
}

// English ones as they came: their hash is then computed once.
function keyOf(request: string): string {
  const locale = currentLocale();
  return locale === 'en' ? request : `${locale} ${request}`;
}

/** Sees the response being made, and sends what is to be kept of it in its place. */
function capture(response: ServerResponse): Making {
  const { req: request, end } = response;
  const { method, headers } = request;
  const scope = currentScope();
  const verdict = Promise.withResolvers<boolean>();
  const answer = Promise.withResolvers<ReadyAnswer | undefined>();
  let isPublic = false;
  let isPrivate: boolean | undefined;

  declarations.set(response, (declared) => {
    isPublic = declared;
    isPrivate ??= !declared;
    verdict.resolve(declared);
  });
  const finish = (made: ReadyAnswer | undefined) => {
    response.end = end;
    Object.assign(request, { method, headers });
    verdict.resolve(made !== undefined);
    answer.resolve(made);
  };
  // So that it is made in full, whatever this caller wants of it.
  if (method === 'HEAD') request.method = 'GET';
  request.headers = { ...headers, 'if-none-match': undefined };
  response.once('close', () => finish(undefined));
  response.end = ((...args: unknown[]) => {
    const [body] = args;
    const isWhole = !response.headersSent && (typeof body === 'string' || Buffer.isBuffer(body));
    if (!isPublic || response.statusCode !== 200 || !isWhole) {
      finish(undefined);
      return Reflect.apply(end, response, args);
    }
    const made = new ReadyAnswer(response, Buffer.from(body as string), scope?.endpoint);
    finish(made);
    made.send(response);
    return response;
  }) as ServerResponse['end'];
  return { isPublic: verdict.promise, isPrivate: () => isPrivate === true, answer: answer.promise };
}

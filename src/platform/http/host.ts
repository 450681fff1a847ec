import { AppError } from '../../kernel/errors/app-error.ts';
import type { Answer } from './answer.ts';
import type { Middleware } from './middleware.ts';

/** Refuses a request that does not name its host, or names several (RFC 9112, section 3.2). */
export function requireHost(refuse: (response: Answer, error: unknown) => void): Middleware {
  return ({ rawHeaders, httpVersion }, response, next) => {
    let hosts = 0;
    for (let index = 0; index < rawHeaders.length; index += 2) if (isHost(rawHeaders[index] as string)) hosts += 1;
    if (hosts > 1 || (hosts === 0 && httpVersion === '1.1')) refuse(response, new AppError('malformed_request'));
    else next();
  };
}

function isHost(name: string): boolean {
  return name.length === 4 && name.toLowerCase() === 'host';
}

import type { IncomingMessage } from 'node:http';

/**
 * Calls back with the body of a request, which stays there for who reads it later; undefined for one without a length, or
 * over `limit` bytes. A client that goes away before its body is complete gets no call.
 */
export function peekBody(request: IncomingMessage, limit: number, callback: (body: Buffer | undefined) => void): void {
  const length = Number(request.headers['content-length']);
  if (!(length > 0 && length <= limit)) {
    callback(undefined);
    return;
  }
  const look = () => {
    if (request.readableLength < length) {
      request.once('readable', look);
      return;
    }
    const body: Buffer = request.read();
    request.unshift(body);
    callback(body);
  };
  look();
}

import type { IncomingMessage, ServerResponse } from 'node:http';
import { headersOf, readAnswers } from './answers.ts';
import { listen } from './listen.ts';

// The limit of any server on Node: nothing is done but HTTP. A POST is answered once its body was read, as it must be.
const answers = readAnswers();

listen((request, response) => {
  if (request.method === 'GET') answer(request, response);
  else readBody(request, () => answer(request, response));
});

// Once its bytes are there, which is a tenth to a fifth faster than to wait for the end of the stream.
function readBody(request: IncomingMessage, done: (body: Buffer) => void): void {
  const length = Number(request.headers['content-length']);
  if (request.readableLength >= length) done(request.read());
  else request.once('readable', () => readBody(request, done));
}

function answer({ url = '' }: IncomingMessage, response: ServerResponse): void {
  const bytes = answers.get(url);
  if (bytes === undefined) response.writeHead(404).end();
  else response.writeHead(200, headersOf(bytes)).end(bytes);
}

import type { IncomingMessage, ServerResponse } from 'node:http';
import { readAnswers, toHeaders } from './answers.ts';
import { listen } from './listen.ts';

// The limit of any server on Node: only HTTP. Like every server, it responds to a POST after reading its body.
const answers = readAnswers();

listen((request, response) => {
  if (request.method === 'GET') answer(request, response);
  else readBody(request, () => answer(request, response));
});

// Reads the body once its bytes have arrived, which is faster than waiting for the end of the stream.
function readBody(request: IncomingMessage, done: (body: Buffer) => void): void {
  const length = Number(request.headers['content-length']);
  if (request.readableLength >= length) done(request.read());
  else request.once('readable', () => readBody(request, done));
}

function answer({ url = '' }: IncomingMessage, response: ServerResponse): void {
  const bytes = answers.get(url);
  if (bytes === undefined) response.writeHead(404).end();
  else response.writeHead(200, toHeaders(bytes)).end(bytes);
}

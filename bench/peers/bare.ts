import type { IncomingMessage, ServerResponse } from 'node:http';
import { headersOf, readAnswers } from './answers.ts';
import { listen } from './listen.ts';

// The limit of any server on Node: nothing is done but HTTP. A POST is answered once its body was read, as it must be.
const answers = readAnswers();

listen((request, response) => {
  if (request.method === 'GET') answer(request, response);
  else readBody(request, () => answer(request, response));
});

function readBody(request: IncomingMessage, done: (body: Buffer) => void): void {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => done(Buffer.concat(chunks)));
}

function answer({ url = '' }: IncomingMessage, response: ServerResponse): void {
  const bytes = answers.get(url);
  if (bytes === undefined) response.writeHead(404).end();
  else response.writeHead(200, headersOf(bytes)).end(bytes);
}

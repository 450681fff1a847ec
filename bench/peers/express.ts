import express from 'express';
import { headersOf, readAnswers } from './answers.ts';
import { listen } from './listen.ts';

// Express and nothing else: no log, no limits, no headers of safety. `end` and not `send`, which would hash the answer
// for an ETag every time.
const app = express().disable('x-powered-by').use(express.json());
for (const [path, bytes] of readAnswers()) {
  app.all(path, (_request, response) => {
    response.writeHead(200, headersOf(bytes)).end(bytes);
  });
}

listen(app);

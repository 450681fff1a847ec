import express from 'express';
import { readAnswers, toHeaders } from './answers.ts';
import { listen } from './listen.ts';

// Express alone: no log, limits or security headers. `end`, because `send` would hash each response for an ETag.
const app = express().disable('x-powered-by').use(express.json());
for (const [path, bytes] of readAnswers()) {
  app.all(path, (_request, response) => {
    response.writeHead(200, toHeaders(bytes)).end(bytes);
  });
}

listen(app);

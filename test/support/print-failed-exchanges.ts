import { afterEach, beforeEach } from 'vitest';
import { exchanges } from './client.ts';

// What a failed test sent and got, with the request ids that the log lines have.
const shown = 5;
const shownLength = 2_000;

beforeEach(() => {
  exchanges.length = 0;
});

afterEach(({ task }) => {
  if (task.result?.state !== 'fail') return;
  for (const exchange of exchanges.slice(-shown)) console.error(exchange.slice(0, shownLength));
});

import { afterEach, beforeEach } from 'vitest';
import { exchanges } from './client.ts';
import { disposeLeftovers } from './use.ts';

await disposeLeftovers();

// Prints the requests and responses of a failed test, with the request ids of the log lines.
const shown = 5;
const shownLength = 2_000;

beforeEach(() => {
  exchanges.length = 0;
});

afterEach(({ task }) => {
  if (task.result?.state !== 'fail') return;
  for (const exchange of exchanges.slice(-shown)) console.error(exchange.slice(0, shownLength));
});

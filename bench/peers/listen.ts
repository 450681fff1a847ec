import { createServer, type RequestListener } from 'node:http';

/** Serves on the port that the benchmark gives, until the benchmark ends. */
export function listen(handler: RequestListener): void {
  createServer(handler).listen(Number(process.env.PORT), '127.0.0.1');
  endWithParent();
}

/** Ends this process when the one that started it is gone, however that went. */
export function endWithParent(): void {
  process.stdin.resume().on('end', () => process.exit());
}

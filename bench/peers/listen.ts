import { createServer, type RequestListener } from 'node:http';

/** Listens on the benchmark's port until the benchmark ends. */
export function listen(handler: RequestListener): void {
  createServer(handler).listen(Number(process.env.PORT), '127.0.0.1');
  endWithParent();
}

/** Exits when the parent process is gone, even if it crashed. */
export function endWithParent(): void {
  process.stdin.resume().on('end', () => process.exit());
}

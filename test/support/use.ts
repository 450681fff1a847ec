import { afterAll } from 'vitest';

const inUse = new Set<AsyncDisposable>();

/** Disposes a resource at the end of the test file or suite that opens it. */
export function use<Resource extends AsyncDisposable>(resource: Resource): Resource {
  inUse.add(resource);
  afterAll(() => dispose(resource));
  return resource;
}

/** Disposes what earlier files of this worker left open: the hooks of a file that fails to load do not run. */
export async function disposeLeftovers(): Promise<void> {
  for (const resource of [...inUse].toReversed()) await dispose(resource).catch(console.error);
}

async function dispose(resource: AsyncDisposable): Promise<void> {
  inUse.delete(resource);
  await resource[Symbol.asyncDispose]();
}

import type { Worker } from 'node:cluster';

/** A connection as it is sent to a worker: with the message that Node's own worker takes it by. */
interface Handover {
  message: object;
  connection: { readonly fd: number; close(): void };
}

/**
 * Watches the connections that are handed to a worker. Node keeps one open until the worker has said that it took it, and
 * forgets it, with its client waiting, when the worker ends before that. Returns what then gives them to another, if any.
 */
export function watchHandovers({ process }: Worker): (other: Worker | undefined) => void {
  let handovers: Handover[] = [];
  const send = process.send.bind(process) as (...args: unknown[]) => boolean;
  const watched = (message: object, connection: unknown, ...rest: unknown[]) => {
    if (isConnection(connection)) handovers = [...handovers.filter(isOpen), { message, connection }];
    return send(message, connection, ...rest);
  };
  process.send = watched as typeof process.send;
  return (other) => {
    for (const { message, connection } of handovers.filter(isOpen)) {
      if (other === undefined) connection.close();
      else other.process.send(message, connection as never);
    }
  };
}

function isConnection(sent: unknown): sent is Handover['connection'] {
  return typeof sent === 'object' && sent !== null && 'fd' in sent && 'close' in sent;
}

function isOpen({ connection }: Handover): boolean {
  return connection.fd >= 0;
}

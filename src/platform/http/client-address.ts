import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import ipaddr from 'ipaddr.js';
import proxyaddr from 'proxy-addr';
import { memoize } from '../../kernel/memoize.ts';
import { memoryBounds } from '../../kernel/memory-bounds.ts';

/**
 * Whose request it is, by address: the connection's, or what a trusted proxy says in `X-Forwarded-For`. An IPv6 address
 * counts by its /64, which is one subscriber's.
 */
export function clientAddress(trustedProxies: string[]): (request: IncomingMessage) => string {
  if (trustedProxies.length === 0) return ({ socket }) => subscriberOf(socket.remoteAddress ?? '');
  const isTrusted = proxyaddr.compile(trustedProxies);
  return (request) => {
    // There is none once the client has gone away.
    const address: string = proxyaddr(request, isTrusted) ?? '';
    return subscriberOf(address) || subscriberOf(request.socket.remoteAddress ?? '');
  };
}

/** Whose connection it is; undefined for a trusted proxy, whose connections are those of many clients. */
export function connectionAddress(trustedProxies: string[]): (socket: Socket) => string | undefined {
  const isTrusted = proxyaddr.compile(trustedProxies);
  return ({ remoteAddress = '' }) => (isTrusted(remoteAddress, 0) ? undefined : subscriberOf(remoteAddress));
}

// Empty for what is no address.
const subscriberOf = memoize(memoryBounds.addresses, (address) => {
  if (!ipaddr.isValid(address)) return '';
  const parsed = ipaddr.process(address);
  return parsed instanceof ipaddr.IPv6
    ? ipaddr.IPv6.networkAddressFromCIDR(`${parsed}/64`).toString()
    : parsed.toString();
});

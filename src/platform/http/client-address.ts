import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';
import ipaddr from 'ipaddr.js';
import type { Logger } from 'pino';
import proxyaddr from 'proxy-addr';
import { memoize } from '../../kernel/memoize.ts';
import { memoryBounds } from '../../kernel/memory-bounds.ts';

/** From a trusted proxy's `X-Forwarded-For` or the connection. Reduces IPv6 to its /64, which one subscriber has. */
export function createAddressReader(trustedProxies: string[]): (request: IncomingMessage) => string {
  if (trustedProxies.length === 0) return ({ socket }) => toSubscriber(socket.remoteAddress ?? '');
  const isTrusted = proxyaddr.compile(trustedProxies);
  return (request) => {
    // Undefined after the client has disconnected.
    const entry: string = proxyaddr(request, (forwarded, hop) => isTrusted(parseAddress(forwarded ?? ''), hop)) ?? '';
    return toSubscriber(parseAddress(entry)) || toSubscriber(request.socket.remoteAddress ?? '');
  };
}

/** Some proxies add a port, brackets (IPv6) or quotes. */
function parseAddress(entry: string): string {
  const text = entry.replaceAll(/["\s]/g, '');
  const [, bracketed, dotted] = /^(?:\[(.+)\]|(.*\.\d+))(?::\d*)?$/.exec(text) ?? [];
  return bracketed ?? dotted ?? text;
}

const unknownProxy =
  'TRUST_PROXY does not include this proxy, so all its clients share the rate limit of one address: add the proxy if it is your load balancer';

const forwardedAlone =
  'this proxy in TRUST_PROXY sends Forwarded without X-Forwarded-For, so all its clients share the rate limit of one address: make it send X-Forwarded-For (see docs/operations/deploy.md)';

/** Warns once if a proxy forwards requests whose clients all count as one. */
export function warnAboutProxies(trustedProxies: string[], log: Logger): RequestHandler {
  const isTrusted = proxyaddr.compile(trustedProxies);
  let hasWarned = false;
  return ({ headers, socket: { remoteAddress = '' } }, _response, next) => {
    const hasAddress = headers['x-forwarded-for'] !== undefined;
    if (hasWarned || !(hasAddress || headers.forwarded !== undefined)) return next();
    const isListed = isTrusted(remoteAddress, 0);
    hasWarned = !(isListed && hasAddress);
    if (hasWarned) log.warn({ proxy: remoteAddress }, isListed ? forwardedAlone : unknownProxy);
    next();
  };
}

// Empty for an invalid address.
const toSubscriber = memoize(memoryBounds.addresses, (address) => {
  if (!ipaddr.isValid(address)) return '';
  const parsed = ipaddr.process(address);
  return parsed instanceof ipaddr.IPv6
    ? ipaddr.IPv6.networkAddressFromCIDR(`${parsed}/64`).toString()
    : parsed.toString();
});

/** Pages of this machine, and Apollo Studio, whose Sandbox is the hosted one. */
export const developmentOrigins = [
  'https://studio.apollographql.com',
  ...['localhost', '127.0.0.1', '[::1]'].flatMap((host) => [`http://${host}:*`, `https://${host}:*`]),
];

/**
 * Whether text is an origin as browsers write it (`:*` in place of a port is any port). One with a path, a capital, another
 * star or the port that its scheme has anyway is none: nothing would ever match it.
 */
export function isOrigin(text: string): boolean {
  const origin = text.replace(/:\*$/, '');
  return /^https?:[^*]+$/.test(origin) && URL.canParse(origin) && new URL(origin).origin === origin;
}

/** Whether an origin is one of those listed; undefined where that does not matter, as `*` is. */
export function originMatcher(origins: readonly string[]): ((origin: string) => boolean) | undefined {
  if (origins.includes('*')) return undefined;
  const listed = new Set(origins);
  return (origin) => listed.has(origin) || listed.has(`${origin.replace(/:\d+$/, '')}:*`);
}

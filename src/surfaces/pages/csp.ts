const ownFilesOnly: Record<string, string> = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self' data:",
  'font-src': "'self' data:",
  'connect-src': "'self'",
  'base-uri': "'none'",
  'form-action': "'none'",
  'frame-ancestors': "'none'",
};

/** `more` adds or replaces directives. */
export function createCsp(more: Record<string, string> = {}): string {
  const directives = Object.entries({ ...ownFilesOnly, ...more });
  return directives.map((directive) => directive.join(' ')).join('; ');
}

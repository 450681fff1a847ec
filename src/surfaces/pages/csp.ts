const ownFiles: Record<string, string> = {
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

/** A content security policy that allows only this service; `more` adds or replaces directives. */
export function csp(more: Record<string, string> = {}): string {
  const directives = Object.entries({ ...ownFiles, ...more });
  return directives.map((directive) => directive.join(' ')).join('; ');
}

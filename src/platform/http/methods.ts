/** The methods of routes. CORS allows them, metrics name them, and a form may ask for those that write. */
export const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH'] as const;

export type Method = (typeof methods)[number];

export function isMethod(text: string): text is Method {
  return methods.some((method) => method === text);
}

export const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH'] as const;

export type Method = (typeof methods)[number];

export function isMethod(text: string): text is Method {
  return methods.some((method) => method === text);
}

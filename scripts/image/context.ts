/**
 * Whether a path is in the build context, by a .dockerignore that leaves everything out but the paths it names: a list of
 * exceptions cannot forget a secret.
 */
export function contextFilter(dockerignore: string): (path: string) => boolean {
  const [first, ...rest] = dockerignore.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  if (first !== '*' || rest.some((line) => !line.startsWith('!'))) throw new Error('.dockerignore is not such a list');
  const named = rest.map((line) => line.slice(1));
  return (path) => named.some((name) => path === name || path.startsWith(`${name}/`));
}

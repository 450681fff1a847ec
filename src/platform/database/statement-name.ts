import { createHash } from 'node:crypto';

// The service has some dozens of statements, as their texts do not vary with what they are about.
const names = new Map<string, string>();

/** The name under which a connection prepares a statement, so that PostgreSQL plans it once; undefined for a command. */
export function statementName(text: string): string | undefined {
  if (!/^\s*(select|insert|update|delete|with)\b/i.test(text)) return undefined;
  let name = names.get(text);
  if (name === undefined) {
    name = createHash('sha256').update(text).digest('base64url');
    names.set(text, name);
  }
  return name;
}

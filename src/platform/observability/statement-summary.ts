/**
 * What a SQL statement does, and the table that it does it to; `none` for what is about no table. One that begins with
 * `with` is about what it writes first.
 */
export function describeStatement(sql: string): { operation: string; table: string } {
  const text = sql.trimStart();
  if (/^with\b/i.test(text)) {
    const [, operation = 'select', table = 'none'] =
      /\b(insert|update|delete) (?:into |from )?"?(\w+)"?/i.exec(text) ?? [];
    return { operation: operation.toLowerCase(), table };
  }
  const operation = /^(select|insert|update|delete|begin|commit|rollback)\b/i.exec(text)?.[1]?.toLowerCase() ?? 'other';
  const table = /\b(?:from|into|update) "(\w+)"/i.exec(text)?.[1] ?? 'none';
  return { operation, table };
}

/** What a SQL statement does, and the table that it does it to; `none` for what is about no table. */
export function describeStatement(sql: string): { operation: string; table: string } {
  const operation = /^(select|insert|update|delete|begin|commit|rollback)\b/i.exec(sql)?.[1]?.toLowerCase() ?? 'other';
  const table = /\b(?:from|into|update) "(\w+)"/i.exec(sql)?.[1] ?? 'none';
  return { operation, table };
}

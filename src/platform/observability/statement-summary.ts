/** `table` is the first table or `none`; `with` counts as `select`. */
export function describeStatement(sql: string): { operation: string; table: string } {
  const [, first = 'other'] = /^\s*(select|with|insert|update|delete|begin|commit|rollback)\b/i.exec(sql) ?? [];
  // `rows from` begins a list of functions.
  const [, table = 'none'] = /\b(?:from|into|update) "?(?!rows from)(\w+)"?/i.exec(sql) ?? [];
  return { operation: first.toLowerCase() === 'with' ? 'select' : first.toLowerCase(), table };
}

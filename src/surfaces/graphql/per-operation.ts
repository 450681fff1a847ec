import type { DocumentNode, OperationDefinitionNode } from 'graphql';

/**
 * The function, called once for an operation that is executed often: its result is remembered for as long as the document
 * is kept parsed.
 */
export function perOperation<Result>(
  compute: (operation: OperationDefinitionNode, document: DocumentNode) => Result,
): (operation: OperationDefinitionNode, document: DocumentNode) => Result {
  const known = new WeakMap<OperationDefinitionNode, { result: Result }>();
  return (operation, document) => {
    let entry = known.get(operation);
    if (entry === undefined) {
      entry = { result: compute(operation, document) };
      known.set(operation, entry);
    }
    return entry.result;
  };
}

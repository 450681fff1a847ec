import { type DocumentNode, type FieldNode, Kind, type OperationDefinitionNode, type SelectionSetNode } from 'graphql';
import { perOperation } from './per-operation.ts';

/** The fields of an operation itself, as GraphQL collects them: each fragment once, however often it is spread. */
export const rootFieldsOf = perOperation(collectRootFields);

function collectRootFields(operation: OperationDefinitionNode, document: DocumentNode): FieldNode[] {
  const spread = new Set<string>();
  const collect = ({ selections }: SelectionSetNode): FieldNode[] =>
    selections.flatMap((selection) => {
      if (selection.kind === Kind.FIELD) return selection;
      if (selection.kind === Kind.INLINE_FRAGMENT) return collect(selection.selectionSet);
      const name = selection.name.value;
      if (spread.has(name)) return [];
      spread.add(name);
      const fragment = document.definitions.find(
        (definition) => definition.kind === Kind.FRAGMENT_DEFINITION && definition.name.value === name,
      );
      return fragment?.kind === Kind.FRAGMENT_DEFINITION ? collect(fragment.selectionSet) : [];
    });
  return collect(operation.selectionSet);
}

import {
  AliasNode,
  CamelCasePlugin,
  ColumnNode,
  IdentifierNode,
  type OperationNode,
  type PluginTransformQueryArgs,
  type PluginTransformResultArgs,
  type QueryResult,
  ReferenceNode,
  type RootOperationNode,
  SelectionNode,
  type UnknownRow,
} from 'kysely';

/**
 * Kysely's plugin, which copies every row of a result to rename its columns: here the statement asks for them by the names
 * that they are to have, so that only those of raw SQL are left to be renamed.
 */
export class CamelCase extends CamelCasePlugin {
  constructor() {
    super({ maintainNestedObjectKeys: true });
  }

  override transformQuery(args: PluginTransformQueryArgs): RootOperationNode {
    const node = super.transformQuery(args);
    if ('selections' in node && node.selections) return { ...node, selections: node.selections.map(this.#name) };
    if ('returning' in node && node.returning) {
      return { ...node, returning: { ...node.returning, selections: node.returning.selections.map(this.#name) } };
    }
    return node;
  }

  override async transformResult(args: PluginTransformResultArgs): Promise<QueryResult<UnknownRow>> {
    const [first = {}] = args.result.rows;
    return Object.keys(first).some((column) => column.includes('_')) ? super.transformResult(args) : args.result;
  }

  readonly #name = (node: SelectionNode): SelectionNode => {
    const { selection } = node;
    const name = nameOf(selection);
    const wanted = name && this.camelCase(name);
    if (wanted === undefined || wanted === name) return node;
    const value = AliasNode.is(selection) ? selection.node : selection;
    return SelectionNode.create(AliasNode.create(value, IdentifierNode.create(wanted)));
  };
}

// Undefined for what the database itself finds a name for.
function nameOf(selection: OperationNode): string | undefined {
  if (AliasNode.is(selection)) return nameOf(selection.alias);
  if (ReferenceNode.is(selection)) return nameOf(selection.column);
  if (ColumnNode.is(selection)) return selection.column.name;
  return IdentifierNode.is(selection) ? selection.name : undefined;
}

import {
  AliasNode,
  CamelCasePlugin,
  ColumnNode,
  IdentifierNode,
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
    const column = ReferenceNode.is(node.selection) ? node.selection.column : node.selection;
    if (!ColumnNode.is(column)) return node;
    const wanted = this.camelCase(column.column.name);
    if (wanted === column.column.name) return node;
    return { ...node, selection: AliasNode.create(node.selection, IdentifierNode.create(wanted)) };
  };
}

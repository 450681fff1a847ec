import {
  type DefinitionNode,
  type DocumentNode,
  type FragmentDefinitionNode,
  Kind,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';

/** How large a document is, its fragments counted wherever they are spread. */
export interface Shape {
  /** Levels of fields in each other. Those below introspection do not count: GraphQL has a rule of its own for them. */
  depth: number;
  /** Levels of selections in each other, of fields and of fragments. */
  nesting: number;
  /** Aliases, and fields asked for again beside themselves: what makes more of one field. */
  aliases: number;
  directives: number;
}

const nothing: Shape = { depth: 0, nesting: 0, aliases: 0, directives: 0 };
const endless: Shape = { ...nothing, nesting: Number.POSITIVE_INFINITY };

/**
 * The most of each that an operation of the document has. Beyond `maxNesting` it looks no further: what is nested deeper is
 * nested without end, as fragments in a circle are.
 */
export function shapeOf({ definitions }: DocumentNode, maxNesting: number): Shape {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
  }
  const known = new Map<string, Shape>();
  return definitions.map(ofDefinition).reduce(larger, nothing);

  function ofDefinition(definition: DefinitionNode): Shape {
    // Validation follows also those fragments that no operation spreads.
    if (definition.kind === Kind.FRAGMENT_DEFINITION) {
      return { ...nothing, nesting: ofFragment(definition.name.value, 0).nesting };
    }
    if (definition.kind !== Kind.OPERATION_DEFINITION) return nothing;
    return withDirectives(ofSelections(definition.selectionSet, 0), definition);
  }

  function ofFragment(name: string, level: number): Shape {
    const shape = known.get(name);
    const fragment = fragments.get(name);
    if (shape !== undefined || fragment === undefined) return shape ?? nothing;
    // As long as it is not known, only what is within it asks for it.
    known.set(name, endless);
    const found = withDirectives(ofSelections(fragment.selectionSet, level), fragment);
    known.set(name, found);
    return found;
  }

  function ofSelections({ selections }: SelectionSetNode, level: number): Shape {
    if (level > maxNesting) return endless;
    const repeated = { ...nothing, aliases: countRepeatedFields(selections) };
    return selections.map((selection) => ofSelection(selection, level)).reduce(together, repeated);
  }

  function ofSelection(selection: SelectionNode, level: number): Shape {
    const inner = withDirectives(ofInside(selection, level + 1), selection);
    const nesting = inner.nesting + 1;
    if (selection.kind !== Kind.FIELD) return { ...inner, nesting };
    const isIntrospection = selection.name.value.startsWith('__');
    const depth = 1 + (isIntrospection ? 0 : inner.depth);
    return { ...inner, nesting, depth, aliases: inner.aliases + (selection.alias === undefined ? 0 : 1) };
  }

  function ofInside(selection: SelectionNode, level: number): Shape {
    if (selection.kind === Kind.FRAGMENT_SPREAD) return ofFragment(selection.name.value, level);
    return selection.selectionSet === undefined ? nothing : ofSelections(selection.selectionSet, level);
  }
}

function withDirectives(shape: Shape, { directives = [] }: { directives?: readonly unknown[] | undefined }): Shape {
  return { ...shape, directives: shape.directives + directives.length };
}

function countRepeatedFields(selections: readonly SelectionNode[]): number {
  const names = selections.flatMap((field) => (field.kind === Kind.FIELD ? (field.alias ?? field.name).value : []));
  return names.length - new Set(names).size;
}

function together(a: Shape, b: Shape): Shape {
  return { ...larger(a, b), aliases: a.aliases + b.aliases, directives: a.directives + b.directives };
}

function larger(a: Shape, b: Shape): Shape {
  return {
    depth: Math.max(a.depth, b.depth),
    nesting: Math.max(a.nesting, b.nesting),
    aliases: Math.max(a.aliases, b.aliases),
    directives: Math.max(a.directives, b.directives),
  };
}

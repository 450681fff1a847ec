import { type Node, parseSync, type RangeVar, type SelectStmt } from 'libpg-query';

const companyColumn = 'company_id';

/** A relation of a FROM clause, by the name that the statement calls it. */
interface Relation {
  name: string;
  /** Whether `company_id` without a relation's name may be its. */
  hasCompany: boolean;
  bound: boolean;
  /** The table's mention, where it is one of tenants. */
  mention: RangeVar | undefined;
}

/** What a part of a statement may refer to: its own relations, then those around it. */
interface Scope {
  relations: Relation[];
  around: Scope | undefined;
}

/** The names of WITH, and whether what they stand for has a company. */
type Named = Map<string, boolean>;

interface Query {
  /** Relations of FROM, USING, and the table that is written. */
  from: Node[];
  where: Node | undefined;
  /** Where subqueries may be. */
  rest: unknown[];
}

/**
 * Each mention of a tenant table in a SQL statement, and whether it is bound to one company: by `company_id = $n` that always
 * holds, or by `company_id` being that of a relation that is bound; an insert by naming it. What is not understood is unbound.
 * The parser is PostgreSQL's own; `loadModule` of libpg-query must have been awaited.
 */
export function listTenantMentions(sql: string, tables: ReadonlySet<string>): { table: string; bound: boolean }[] {
  const bound = new Set<RangeVar>();
  const statements = parseSync(sql).stmts ?? [];
  for (const { stmt } of statements) {
    if (stmt !== undefined) new Analysis(tables, bound).query(stmt, undefined, new Map());
  }
  return mentionsIn(statements)
    .filter(({ relname = '' }) => tables.has(relname))
    .map((mention) => ({ table: mention.relname as string, bound: bound.has(mention) }));
}

class Analysis {
  readonly #tables: ReadonlySet<string>;
  readonly #bound: Set<RangeVar>;

  constructor(tables: ReadonlySet<string>, bound: Set<RangeVar>) {
    this.#tables = tables;
    this.#bound = bound;
  }

  /** Notes which mentions of a query are bound; returns what its own parts may refer to. */
  query(node: Node, around: Scope | undefined, outer: Named): Scope {
    const named = new Map(outer);
    for (const cte of withOf(node)) {
      if (!('CommonTableExpr' in cte)) continue;
      const { ctename = '', ctequery } = cte.CommonTableExpr;
      if (ctequery === undefined) continue;
      this.query(ctequery, around, named);
      named.set(ctename, outputsCompany(ctequery));
    }
    if ('InsertStmt' in node) return this.#insert(node.InsertStmt, around, named);
    if ('SelectStmt' in node && node.SelectStmt.larg && node.SelectStmt.rarg) {
      for (const side of [node.SelectStmt.larg, node.SelectStmt.rarg]) this.query({ SelectStmt: side }, around, named);
      return { relations: [], around };
    }
    const { from, where, rest } = partsOf(node);
    const scope: Scope = { relations: [], around };
    const equalities: { sides: [Node, Node]; only?: Set<Relation> }[] = [];
    for (const item of from) this.#relate(item, scope, named, equalities);
    equalities.push(...conjunctsOf(where).map((sides) => ({ sides })));
    this.#bind(scope, equalities);
    for (const subquery of subqueriesIn([where, rest])) this.query(subquery, scope, named);
    return scope;
  }

  #insert(
    insert: Extract<Node, { InsertStmt: unknown }>['InsertStmt'],
    around: Scope | undefined,
    named: Named,
  ): Scope {
    const source = insert.selectStmt;
    const scope = source === undefined ? { relations: [], around } : this.query(source, around, named);
    const at = (insert.cols ?? []).findIndex(
      (column) => 'ResTarget' in column && column.ResTarget.name === companyColumn,
    );
    const select = source !== undefined && 'SelectStmt' in source ? source.SelectStmt : {};
    const values = select.valuesLists?.map((row) => ('List' in row ? row.List.items?.[at] : undefined));
    const given = values ?? [resultAt(select, at)];
    const isGiven = (value: Node | undefined) =>
      value !== undefined && (isValue(value) || companyOf(value, scope)?.bound);
    const key = insert.onConflictClause?.infer?.indexElems;
    const isOfCompany = (key ?? []).some((part) => 'IndexElem' in part && part.IndexElem.name === companyColumn);
    if (at >= 0 && given.every(isGiven) && (key === undefined || isOfCompany)) this.#bound.add(insert.relation ?? {});
    return scope;
  }

  // An outer join says nothing of the side that it keeps.
  #relate(
    node: Node,
    scope: Scope,
    named: Named,
    equalities: { sides: [Node, Node]; only?: Set<Relation> }[],
  ): Relation[] {
    if ('RangeVar' in node) {
      const { relname = '', alias } = node.RangeVar;
      const isTenants = !named.has(relname) && this.#tables.has(relname);
      const relation: Relation = {
        name: alias?.aliasname ?? relname,
        hasCompany: named.get(relname) ?? isTenants,
        bound: false,
        mention: isTenants ? node.RangeVar : undefined,
      };
      scope.relations.push(relation);
      return [relation];
    }
    if ('RangeSubselect' in node && node.RangeSubselect.subquery !== undefined) {
      const { subquery, alias } = node.RangeSubselect;
      const inner = this.query(subquery, scope.around, named);
      const relation: Relation = {
        name: alias?.aliasname ?? '',
        hasCompany: outputsCompany(subquery),
        bound: inner.relations.length > 0 && inner.relations.every(({ bound, hasCompany }) => bound || !hasCompany),
        mention: undefined,
      };
      scope.relations.push(relation);
      return [relation];
    }
    if (!('JoinExpr' in node)) return [];
    const { larg, rarg, jointype, quals, usingClause = [] } = node.JoinExpr;
    const left = larg === undefined ? [] : this.#relate(larg, scope, named, equalities);
    const right = rarg === undefined ? [] : this.#relate(rarg, scope, named, equalities);
    const sides = { JOIN_INNER: [...left, ...right], JOIN_LEFT: right, JOIN_RIGHT: left };
    const only = new Set(sides[jointype as keyof typeof sides] ?? []);
    for (const pair of conjunctsOf(quals)) equalities.push({ sides: pair, only });
    if (usingClause.some((column) => 'String' in column && column.String.sval === companyColumn)) {
      const of = ({ name }: Relation): Node => columnOf(name);
      for (const a of left) for (const b of right) equalities.push({ sides: [of(a), of(b)], only });
    }
    return [...left, ...right];
  }

  #bind(scope: Scope, equalities: { sides: [Node, Node]; only?: Set<Relation> }[]): void {
    let before: number;
    do {
      before = this.#bound.size + scope.relations.filter(({ bound }) => bound).length;
      for (const { sides, only } of equalities) {
        for (const [side, other] of [sides, sides.toReversed()] as [Node, Node][]) {
          const relation = companyOf(side, scope);
          if (relation === undefined || !scope.relations.includes(relation) || (only && !only.has(relation))) continue;
          if (!isValue(other) && !companyOf(other, scope)?.bound) continue;
          relation.bound = true;
          if (relation.mention !== undefined) this.#bound.add(relation.mention);
        }
      }
    } while (this.#bound.size + scope.relations.filter(({ bound }) => bound).length > before);
  }
}

function withOf(node: Node): Node[] {
  const [statement] = Object.values(node) as [{ withClause?: { ctes?: Node[] } }];
  return statement.withClause?.ctes ?? [];
}

function partsOf(node: Node): Query {
  if ('SelectStmt' in node) {
    const { fromClause = [], whereClause, ...rest } = node.SelectStmt;
    return { from: fromClause, where: whereClause, rest: [rest.targetList, rest.havingClause, rest.sortClause] };
  }
  if ('UpdateStmt' in node) {
    const { relation = {}, fromClause = [], whereClause, targetList } = node.UpdateStmt;
    return { from: [{ RangeVar: relation }, ...fromClause], where: whereClause, rest: [targetList] };
  }
  if ('DeleteStmt' in node) {
    const { relation = {}, usingClause = [], whereClause } = node.DeleteStmt;
    return { from: [{ RangeVar: relation }, ...usingClause], where: whereClause, rest: [] };
  }
  return { from: [], where: undefined, rest: [] };
}

/** Both sides of every equality without which a condition does not hold. */
function conjunctsOf(condition: Node | undefined): [Node, Node][] {
  if (condition === undefined) return [];
  if ('BoolExpr' in condition && condition.BoolExpr.boolop === 'AND_EXPR') {
    return (condition.BoolExpr.args ?? []).flatMap(conjunctsOf);
  }
  if (!('A_Expr' in condition)) return [];
  const { kind, name = [], lexpr, rexpr } = condition.A_Expr;
  const isEquality = kind === 'AEXPR_OP' && name.some((part) => 'String' in part && part.String.sval === '=');
  return isEquality && lexpr !== undefined && rexpr !== undefined ? [[lexpr, rexpr]] : [];
}

/** The relation whose `company_id` an expression is. */
function companyOf(node: Node, scope: Scope): Relation | undefined {
  if (!('ColumnRef' in node)) return undefined;
  const path = (node.ColumnRef.fields ?? []).map((field) => ('String' in field ? field.String.sval : undefined));
  if (path.at(-1) !== companyColumn) return undefined;
  for (let at: Scope | undefined = scope; at !== undefined; at = at.around) {
    const found = at.relations.filter(({ name, hasCompany }) => (path.length > 1 ? name === path.at(-2) : hasCompany));
    if (found.length > 0) return found.length === 1 ? found[0] : undefined;
  }
  return undefined;
}

function columnOf(relation: string): Node {
  return { ColumnRef: { fields: [{ String: { sval: relation } }, { String: { sval: companyColumn } }] } };
}

function isValue(node: Node): boolean {
  if ('TypeCast' in node) return node.TypeCast.arg !== undefined && isValue(node.TypeCast.arg);
  return 'ParamRef' in node || 'A_Const' in node;
}

function resultAt({ targetList = [] }: SelectStmt, index: number): Node | undefined {
  const target = targetList[index];
  return target !== undefined && 'ResTarget' in target ? target.ResTarget.val : undefined;
}

function outputsCompany(query: Node): boolean {
  if (!('SelectStmt' in query)) return false;
  return (query.SelectStmt.targetList ?? []).some((target) => {
    if (!('ResTarget' in target)) return false;
    const { name, val } = target.ResTarget;
    if (name !== undefined || val === undefined || !('ColumnRef' in val)) return name === companyColumn;
    const last = val.ColumnRef.fields?.at(-1);
    return last !== undefined && ('A_Star' in last || ('String' in last && last.String.sval === companyColumn));
  });
}

/** The queries within expressions; not those within these. */
function subqueriesIn(part: unknown): Node[] {
  if (typeof part !== 'object' || part === null) return [];
  if ('SubLink' in part) {
    const { subselect, testexpr } = part.SubLink as { subselect: Node; testexpr?: Node };
    return [subselect, ...subqueriesIn(testexpr)];
  }
  return Object.values(part).flatMap(subqueriesIn);
}

/** Every table that is named anywhere, as one to read or to write. */
function mentionsIn(part: unknown): RangeVar[] {
  if (typeof part !== 'object' || part === null) return [];
  return Object.entries(part).flatMap(([key, value]) => [
    ...(key === 'RangeVar' || key === 'relation' ? [value as RangeVar] : []),
    ...mentionsIn(value),
  ]);
}

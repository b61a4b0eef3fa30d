import type { LiveIndex, LiveSchema, LiveTable } from './catalogue.ts'
import type { ColumnSpec, ConstraintSpec, IndexSpec, SchemaSpec, TableSpec } from './spec.ts'

/** One difference between the live database and the registry. */
export type Difference =
  | { readonly kind: 'create table'; readonly table: TableSpec }
  | { readonly kind: 'adopt table'; readonly table: TableSpec }
  | { readonly kind: 'add column'; readonly table: TableSpec; readonly column: ColumnSpec }
  | { readonly kind: 'change type'; readonly table: TableSpec; readonly column: ColumnSpec; readonly from: string }
  | { readonly kind: 'set default'; readonly table: TableSpec; readonly column: ColumnSpec }
  | { readonly kind: 'set not null'; readonly table: TableSpec; readonly column: ColumnSpec }
  | { readonly kind: 'drop not null'; readonly table: TableSpec; readonly column: string }
  | { readonly kind: 'add constraint'; readonly table: TableSpec; readonly constraint: ConstraintSpec }
  | { readonly kind: 'drop constraint'; readonly table: TableSpec; readonly name: string }
  | { readonly kind: 'create index'; readonly table: TableSpec; readonly index: IndexSpec }
  | { readonly kind: 'drop index'; readonly table: TableSpec; readonly name: string }

/** A table or column that is no longer declared; the sync does not change it. */
export interface Orphan {
  readonly table: string
  readonly column: string | null
}

export interface SchemaDiff {
  /** In an order in which they can be applied. */
  readonly differences: readonly Difference[]
  readonly orphans: readonly Orphan[]
}

/** The order of the steps: removals first; foreign keys after the tables, indexes after the columns they need. */
const PHASES: readonly Difference['kind'][] = [
  'drop constraint',
  'drop index',
  'create table',
  'adopt table',
  'add column',
  'change type',
  'set default',
  'drop not null',
  'set not null',
  'add constraint',
  'create index',
]

const phaseOf = (difference: Difference) =>
  PHASES.indexOf(difference.kind) +
  (difference.kind === 'add constraint' && difference.constraint.kind === 'foreign' ? 0.5 : 0)

/** Compares the desired tables with the live ones. Tables and columns with data are never removed. */
export function diffSchema(desired: SchemaSpec, live: LiveSchema): SchemaDiff {
  const differences: Difference[] = []
  const orphans: Orphan[] = []
  for (const table of desired.values()) {
    const found = live.tables.get(table.name)
    if (found === undefined) {
      differences.push(
        { kind: 'create table', table },
        ...diffConstraints(table, NOTHING),
        ...diffIndexes(table, NOTHING),
      )
      continue
    }
    if (found.owner !== table.owner) differences.push({ kind: 'adopt table', table })
    differences.push(...diffColumns(table, found), ...diffConstraints(table, found), ...diffIndexes(table, found))
    for (const column of found.columns.values()) {
      if (table.columns.has(column.name)) continue
      orphans.push({ table: table.name, column: column.name })
      if (column.notNull && column.default === null) {
        differences.push({ kind: 'drop not null', table, column: column.name })
      }
    }
  }
  for (const table of live.tables.values()) {
    if (table.owner !== null && !desired.has(table.name)) orphans.push({ table: table.name, column: null })
  }
  return { differences: differences.toSorted((a, b) => phaseOf(a) - phaseOf(b)), orphans }
}

const NOTHING: Pick<LiveTable, 'constraints' | 'indexes'> = {
  constraints: new Map<string, string | null>(),
  indexes: new Map<string, LiveIndex>(),
}

function diffColumns(table: TableSpec, live: LiveTable): Difference[] {
  return [...table.columns.values()].flatMap((column): Difference[] => {
    const found = live.columns.get(column.name)
    if (found === undefined) return [{ kind: 'add column', table, column }]
    const differences: Difference[] = []
    if (found.type !== column.type) differences.push({ kind: 'change type', table, column, from: found.type })
    if (!column.identity && found.default !== column.default) differences.push({ kind: 'set default', table, column })
    if (column.notNull && !found.notNull) differences.push({ kind: 'set not null', table, column })
    if (!column.notNull && found.notNull) differences.push({ kind: 'drop not null', table, column: column.name })
    return differences
  })
}

function diffConstraints(table: TableSpec, live: Pick<LiveTable, 'constraints'>): Difference[] {
  const differences: Difference[] = []
  for (const [name, definition] of live.constraints) {
    const wanted = table.constraints.get(name)
    const ours = definition !== null || wanted !== undefined
    if (ours && wanted?.definition !== definition) {
      differences.push({ kind: 'drop constraint', table, name })
    }
  }
  for (const constraint of table.constraints.values()) {
    if (live.constraints.get(constraint.name) !== constraint.definition) {
      differences.push({ kind: 'add constraint', table, constraint })
    }
  }
  return differences
}

function diffIndexes(table: TableSpec, live: Pick<LiveTable, 'indexes'>): Difference[] {
  const isRight = (found: LiveIndex | undefined, wanted: IndexSpec | undefined) =>
    found?.valid === true && found.definition === wanted?.definition
  const differences: Difference[] = []
  for (const [name, found] of live.indexes) {
    const wanted = table.indexes.get(name)
    const ours = found.definition !== null || wanted !== undefined
    if (ours && !isRight(found, wanted)) differences.push({ kind: 'drop index', table, name })
  }
  for (const index of table.indexes.values()) {
    if (!isRight(live.indexes.get(index.name), index)) differences.push({ kind: 'create index', table, index })
  }
  return differences
}

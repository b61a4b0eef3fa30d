import type { LiveIndex, LiveSchema, LiveTable } from './catalogue.ts'
import {
  type ColumnSpec,
  type ConstraintSpec,
  type IndexSpec,
  type SchemaSpec,
  SORT_SUFFIX,
  type TableSpec,
} from './spec.ts'

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

export interface LaterIndex {
  readonly table: TableSpec
  readonly name: string
  /** Null: it is only dropped. */
  readonly index: IndexSpec | null
}

export interface SchemaDiff {
  /** In an order in which they can be applied. */
  readonly differences: readonly Difference[]
  /** Missing, changed or unneeded indexes of large tables. They are built outside the transaction, which would block all writes to the table. */
  readonly later: readonly LaterIndex[]
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

/** A table whose indexes take longer than a moment. */
const LARGE_TABLE_BYTES = 32 * 1_024 * 1_024
/** A table that takes longer than a moment to read through. */
export const SLOW_TABLE_BYTES = 8 * 1_024 * 1_024

/** Whether its records are too many to look up a link of each for one page of a list: 20 µs a record. */
export const isSlow = (live: LiveTable | undefined): boolean => live !== undefined && live.bytes > SLOW_TABLE_BYTES

/** Whether its records are too many to sort all of them by a column: 2 µs a record. */
export const isLarge = (live: LiveTable | undefined): boolean => live !== undefined && live.bytes > LARGE_TABLE_BYTES

/**
 * Compares the desired tables with the live ones. Tables and columns with data are never removed, and indexes of list columns only if
 * `knowsLists`.
 */
export function diffSchema(desired: SchemaSpec, live: LiveSchema, knowsLists = false): SchemaDiff {
  const differences: Difference[] = []
  const later: LaterIndex[] = []
  const orphans: Orphan[] = []
  for (const table of desired.values()) {
    const found = live.tables.get(table.name)
    if (found === undefined) {
      differences.push(
        { kind: 'create table', table },
        ...diffConstraints(table, NOTHING),
        ...diffIndexes(table, NOTHING, knowsLists).now,
      )
      continue
    }
    if (found.owner !== table.owner) differences.push({ kind: 'adopt table', table })
    differences.push(...diffColumns(table, found), ...diffConstraints(table, found))
    const indexes = diffIndexes(table, found, knowsLists)
    differences.push(...indexes.now)
    later.push(...indexes.later)
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
  return { differences: differences.toSorted((a, b) => phaseOf(a) - phaseOf(b)), later, orphans }
}

const NOTHING: Pick<LiveTable, 'constraints' | 'indexes' | 'bytes'> = {
  bytes: 0,
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

interface IndexDiff {
  readonly now: readonly Difference[]
  readonly later: readonly LaterIndex[]
}

function diffIndexes(table: TableSpec, live: Pick<LiveTable, 'indexes' | 'bytes'>, knowsLists: boolean): IndexDiff {
  const wrong = wrongIndexes(table, live)
  const later = wrong.filter(({ isOfLarge }) => live.bytes > (isOfLarge ? SLOW_TABLE_BYTES : LARGE_TABLE_BYTES))
  const created = wrong.filter((index) => !index.isOfLarge && !later.includes(index))
  const dropped = droppedIndexes(table, live).filter(({ name }) => !later.some((index) => index.name === name))
  const unused = knowsLists ? dropped.filter(isOfList) : []
  return {
    now: [
      ...dropped.filter((drop) => !isOfList(drop)),
      ...created.map((index) => ({ kind: 'create index' as const, table, index })),
    ],
    later: [
      ...unused.map(({ name }) => ({ table, name, index: null })),
      ...later.map((index) => ({ table, name: index.name, index })),
    ],
  }
}

const isOfList = ({ name }: { readonly name: string }) => name.endsWith(SORT_SUFFIX)

const isRight = (found: LiveIndex | undefined, wanted: IndexSpec | undefined) =>
  found?.valid === true && found.definition === wanted?.definition

/** Indexes that are missing or have another definition. */
const wrongIndexes = (table: TableSpec, live: Pick<LiveTable, 'indexes'>): IndexSpec[] =>
  [...table.indexes.values()].filter((index) => !isRight(live.indexes.get(index.name), index))

/** Indexes made by the sync that are no longer wanted or have another definition. */
function droppedIndexes(
  table: TableSpec,
  live: Pick<LiveTable, 'indexes'>,
): Extract<Difference, { kind: 'drop index' }>[] {
  return [...live.indexes].flatMap(([name, found]) => {
    const wanted = table.indexes.get(name)
    const isOurs = found.definition !== null || wanted !== undefined
    return isOurs && !isRight(found, wanted) ? [{ kind: 'drop index' as const, table, name }] : []
  })
}

import type { ColumnSpec } from './spec.ts'

/** Types whose values all take the same space. */
const FIXED_WIDTH: ReadonlySet<string> = new Set([
  'boolean',
  'integer',
  'bigint',
  'double precision',
  'date',
  'timestamp with time zone',
  'timestamp(3) with time zone',
])

/**
 * The columns of a new table: those of fixed width first, and among them those that are never null. PostgreSQL finds their values without
 * reading the ones before them, so filters, counts and sums over many rows take about half the time.
 */
export const inStorageOrder = (columns: Iterable<ColumnSpec>): readonly ColumnSpec[] =>
  [...columns].sort((a, b) => rankOf(a) - rankOf(b))

const rankOf = ({ type, notNull }: ColumnSpec): number => (FIXED_WIDTH.has(type) ? (notNull ? 0 : 1) : 2)

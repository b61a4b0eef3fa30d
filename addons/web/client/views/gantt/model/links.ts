import { idsOf } from '../../../fields/value/values.ts'
import type { Span } from '../../plan/span.ts'
import type { GanttArch } from './arch.ts'
import type { GanttRow, RecordRow } from './rows.ts'

/** One record has to be done before another. */
export interface BarLink {
  readonly from: RecordRow
  readonly to: RecordRow
  /** Rows of both. */
  readonly fromRow: number
  readonly toRow: number
  /** Whether it begins before the other one ends. */
  readonly isBroken: boolean
}

export const isTooEarly = (before: Span, after: Span): boolean => after.start < before.end

/** The links between rows; a record that is in several groups is linked where it is first. */
export function linksOf(arch: GanttArch, rows: readonly GanttRow[]): readonly BarLink[] {
  const { dependency } = arch
  if (!dependency) return []
  const places = new Map<number, number>()
  rows.forEach((row, at) => {
    if (row.kind === 'record' && !places.has(row.id)) places.set(row.id, at)
  })
  return [...places].flatMap(([, toRow]) => {
    const to = rows[toRow] as RecordRow
    return idsOf(to.values[dependency.name]).flatMap((id) => {
      const fromRow = places.get(id)
      if (fromRow === undefined) return []
      const from = rows[fromRow] as RecordRow
      return [{ from, to, fromRow, toRow, isBroken: isTooEarly(from.span, to.span) }]
    })
  })
}

export interface Box {
  readonly x: number
  readonly y: number
}

const OUT = 8

/** An arrow from the end of one bar to the start of another, along the rows. */
export function arrowPath(from: Box, to: Box): string {
  const between = from.y < to.y ? from.y + 16 : from.y - 16
  return to.x - OUT >= from.x + OUT
    ? `M${from.x} ${from.y}H${from.x + OUT}V${to.y}H${to.x}`
    : `M${from.x} ${from.y}h${OUT}V${between}H${to.x - OUT}V${to.y}H${to.x}`
}

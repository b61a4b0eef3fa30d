import type { Model } from '../../../model/registry.ts'
import type { Column } from '../column/column.ts'
import type { ImportSheet } from '../file/sheet.ts'
import type { ImportMode } from '../record/match.ts'
import type { ImportRecord, Problem } from '../record/record.ts'
import type { CreatedTargets } from '../record/targets.ts'
import type { Applied } from './apply.ts'

export interface ImportPlan {
  readonly model: Model
  readonly mode: ImportMode
  readonly columns: readonly Column[]
  readonly sheet: ImportSheet
}

/** What an import did with the rows. */
export interface ImportReport {
  readonly applied: readonly Applied[]
  /** Records that were not imported, with their problems, in the order of the file. */
  readonly refused: readonly Refused[]
  /** Records left out because a column says so. */
  readonly skipped: readonly ImportRecord[]
  /** Records that lookups created. */
  readonly targets: CreatedTargets
  /** Texts of relations that name no record or several, with the ids of those. */
  readonly unmatched: UnmatchedTexts
}

export type UnmatchedTexts = Map<Column, Map<string, readonly number[]>>

export interface Refused {
  readonly record: ImportRecord
  readonly problems: readonly Problem[]
}

/** The report while the parts of an import add to it. */
export interface MutableReport extends ImportReport {
  readonly applied: Applied[]
  readonly refused: Refused[]
  readonly skipped: ImportRecord[]
}

export const emptyReport = (): MutableReport => ({
  applied: [],
  refused: [],
  skipped: [],
  targets: new Map(),
  unmatched: new Map(),
})

import { CallError } from '../net/errors.ts'

/** A field that another user changed since the edit began. */
export interface FieldConflict {
  readonly base: unknown
  readonly mine: unknown
  readonly theirs: unknown
}

export interface RecordConflict {
  /** The version to continue from. */
  readonly version: number
  readonly fields: Readonly<Record<string, FieldConflict>>
}

/** Lines that both users changed, by field and id; null for any other error. */
export function readLineConflicts(error: unknown): LineConflicts | null {
  if (!(error instanceof CallError) || error.code !== 'CONFLICT') return null
  // The contract of `line_versions`.
  return (error.details['lines'] as LineConflicts | undefined) ?? null
}

export type LineConflicts = Readonly<Record<string, Readonly<Record<number, RecordConflict>>>>

/** The fields that another user changed too, from a write that was refused for it; null for any other error. */
export function readConflict(error: unknown, id: number): RecordConflict | null {
  if (!(error instanceof CallError) || error.code !== 'CONFLICT') return null
  // The contract of `base_version`: the three values per field, by record.
  const records = error.details['records'] as Readonly<Record<number, RecordConflict>> | undefined
  return records?.[id] ?? null
}

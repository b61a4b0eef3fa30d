import { changesSinceSave, type SentDraft } from '../../../store/changes-since-save.ts'
import type { DraftSnapshot } from '../../../store/draft.ts'
import type { Values } from '../../../store/records.ts'
import type { FormModel } from '../model/model.ts'

interface PendingChanges {
  readonly model: string
  /** 0: the form of a new record. */
  readonly id: number
  readonly changes: (saved: Values) => DraftSnapshot | null
}

let pending: PendingChanges | null = null

/** What is typed into the form of a new record after it was sent, until the form of the record it became opens. */
export function keepChangesSinceSave({ draft }: FormModel, id: number, sent: SentDraft): void {
  pending = { model: draft.model, id, changes: (saved) => changesSinceSave(sent, draft.snapshot(), saved) }
}

/** Changes that were discarded and are wanted back, until the form they were made in opens. */
export function restoreDiscarded(model: string, id: number, kept: DraftSnapshot): void {
  pending = { model, id, changes: () => kept }
}

/** Taken once, by the form of that record. */
export function takePendingChanges(model: string, id: number): PendingChanges['changes'] | undefined {
  const found = pending
  pending = null
  return found?.model === model && found.id === id ? found.changes : undefined
}

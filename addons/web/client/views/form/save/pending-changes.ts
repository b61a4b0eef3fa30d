import { changesSinceSave, type SentDraft } from '../../../store/changes-since-save.ts'
import type { DraftSnapshot } from '../../../store/draft.ts'
import type { Values } from '../../../store/records.ts'
import type { FormModel } from '../model/model.ts'

interface PendingChanges {
  readonly model: string
  /** 0 for the form of a new record. */
  readonly id: number
  readonly changes: (saved: Values) => DraftSnapshot | null
}

let pending: PendingChanges | null = null

/** Keeps what is typed into a new record while it is being saved, until the form of the created record opens. */
export function keepChangesSinceSave({ draft }: FormModel, id: number, sent: SentDraft): void {
  pending = { model: draft.model, id, changes: (saved) => changesSinceSave(sent, draft.snapshot(), saved) }
}

/** Keeps discarded changes that are to be restored, until their form opens. */
export function restoreDiscarded(model: string, id: number, kept: DraftSnapshot): void {
  pending = { model, id, changes: () => kept }
}

/** Returns the pending changes of a record and clears them. */
export function takePendingChanges(model: string, id: number): PendingChanges['changes'] | undefined {
  const found = pending
  pending = null
  return found?.model === model && found.id === id ? found.changes : undefined
}

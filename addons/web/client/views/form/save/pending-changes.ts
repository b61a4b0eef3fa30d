import { laterChanges, type Sent } from '../../../store/changes-since-save.ts'
import type { DraftSnapshot } from '../../../store/draft.ts'
import type { Values } from '../../../store/records.ts'
import type { FormModel } from '../model/model.ts'

interface Carried {
  readonly model: string
  /** 0: the form of a new record. */
  readonly id: number
  readonly later: (saved: Values) => DraftSnapshot | null
}

let carried: Carried | null = null

/** What is typed into the form of a new record after it was sent, until the form of the record it became opens. */
export function carry({ draft }: FormModel, id: number, sent: Sent): void {
  carried = { model: draft.model, id, later: (saved) => laterChanges(sent, draft.snapshot(), saved) }
}

/** Changes that were discarded and are wanted back, until the form they were made in opens. */
export function giveBack(model: string, id: number, kept: DraftSnapshot): void {
  carried = { model, id, later: () => kept }
}

/** Taken once, by the form of that record. */
export function takeCarried(model: string, id: number): Carried['later'] | undefined {
  const found = carried
  carried = null
  return found?.model === model && found.id === id ? found.later : undefined
}

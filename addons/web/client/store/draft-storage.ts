import { effect } from '@preact/signals'
import type { DraftSnapshot, RecordDraft } from './draft.ts'
import { isInvalidText } from './invalid-text.ts'

/** The part of `sessionStorage` that is used. */
export interface DraftStorage {
  getItem(key: string): string | null
  setItem(key: string, text: string): void
  removeItem(key: string): void
}

export interface DraftKey {
  readonly userId: number
  readonly model: string
  readonly id: number | null
  /** Distinguishes new records of different actions. */
  readonly actionId: number
}

/** Part of every key; increased when the format of a snapshot changes. */
const FORMAT = 2

const keyOf = ({ userId, model, id, actionId }: DraftKey): string =>
  `wc:draft:${FORMAT}:${userId}:${model}:${id ?? `new:${actionId}`}`

/** Marks restored texts as not being typed, so that their errors are shown. */
const leaveTyping = (_: string, value: unknown): unknown =>
  isInvalidText(value) ? { ...value, isTyping: false } : value

/** The unsaved draft of an earlier page, if there is one. */
export function findDraft(storage: DraftStorage, place: DraftKey): DraftSnapshot | null {
  try {
    const text = storage.getItem(keyOf(place))
    // Only `keepDraft` writes under this key.
    return text === null ? null : (JSON.parse(text, leaveTyping) as DraftSnapshot)
  } catch {
    return null
  }
}

/** Stores the draft while it has changes, so that it survives a reload or a new sign-in. Returns a function that stops this. */
export function keepDraft(storage: DraftStorage, place: DraftKey, draft: RecordDraft): () => void {
  const key = keyOf(place)
  return effect(() => {
    const isDirty = draft.isDirty.value
    // Read inside the effect, so that every change of a value is kept, not only the first.
    for (const name of draft.changed.value) draft.get(name)
    try {
      if (isDirty) storage.setItem(key, JSON.stringify(draft.snapshot()))
      else storage.removeItem(key)
    } catch {
      // Storage may be full or switched off; the draft still lives in the page.
    }
  })
}

/** Removes the stored draft after it was saved or discarded. */
export function dropDraft(storage: DraftStorage, place: DraftKey): void {
  try {
    storage.removeItem(keyOf(place))
  } catch {
    // If storage is switched off there is nothing to remove.
  }
}

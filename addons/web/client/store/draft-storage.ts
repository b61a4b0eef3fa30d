import { effect } from '@preact/signals'
import type { Draft, DraftSnapshot } from './draft.ts'

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
  /** Tells apart new records of several actions. */
  readonly actionId: number
}

/** Part of every key; raised when the form of a snapshot changes. */
const FORMAT = 1

const keyOf = ({ userId, model, id, actionId }: DraftKey): string =>
  `wc:draft:${FORMAT}:${userId}:${model}:${id ?? `new:${actionId}`}`

/** What an earlier page left unsaved at this place. */
export function findDraft(storage: DraftStorage, place: DraftKey): DraftSnapshot | null {
  try {
    const text = storage.getItem(keyOf(place))
    // Only `keepDraft` writes under this key.
    return text === null ? null : (JSON.parse(text) as DraftSnapshot)
  } catch {
    return null
  }
}

/** Keeps the draft through reloads and a sign-in for as long as it has changes. Returns how to stop. */
export function keepDraft(storage: DraftStorage, place: DraftKey, draft: Draft): () => void {
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

/** Forgets what was kept there: it was saved or given up. */
export function dropDraft(storage: DraftStorage, place: DraftKey): void {
  try {
    storage.removeItem(keyOf(place))
  } catch {
    // Storage that is switched off keeps nothing.
  }
}

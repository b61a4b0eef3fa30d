import { signal } from '@preact/signals'

/** A record chosen for an action. */
export type Chosen = readonly [id: number, name: string]

/** Something the user can do with the selected records, or with the record on screen. */
export interface Act {
  readonly name: string
  readonly label: string
  readonly icon: string
  readonly isDanger?: boolean
  /** A user who is chosen first: whom to assign to. */
  readonly asks?: {
    readonly label: string
    /** The users to choose from; the current user comes first, whatever the text. */
    find(text: string, signal: AbortSignal): Promise<readonly Chosen[]>
  }
  run(chosen?: Chosen): unknown
}

/** The actions that the view on screen offers to the palette. */
export interface Acts {
  /** The records they act on, in a few words: “5 selected”. */
  readonly title: string
  /** Heading of their group. */
  readonly heading: string
  list(): readonly Act[]
}

/** Set by the view as long as there is a selection or a record. */
export const currentActs = signal<Acts | null>(null)

/** Offers acts until the returned function is called. */
export function offerActs(acts: Acts): () => void {
  currentActs.value = acts
  return () => {
    if (currentActs.peek() === acts) currentActs.value = null
  }
}

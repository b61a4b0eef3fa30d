import { signal } from '@preact/signals'

/** A record that was chosen for an act. */
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
    /** Those to choose from; oneself first, whatever the text. */
    find(text: string, signal: AbortSignal): Promise<readonly Chosen[]>
  }
  run(chosen?: Chosen): unknown
}

/** What the view on screen offers to the palette. */
export interface Acts {
  /** What they act on, in a few words: “5 selected”. */
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

import { headOf } from '../../../domain/cut-text.ts'
import { Refusal } from '../../../model/fields/field.ts'

const SHOWN_IDS = 5

/**
 * Why a text names no record, as a sentence for the user. It is not an `Error`, since a file may have ten thousands of such texts and
 * each error would take time to record its stack.
 */
export class Unfound {
  readonly sentence: string
  readonly values: Refusal['values']
  /** The records that the user may choose from; null if there is no choice. */
  readonly ids: readonly number[] | null

  constructor(sentence: string, values: Refusal['values'], ids: readonly number[] | null = null) {
    this.sentence = sentence
    this.values = values
    this.ids = ids?.slice(0, SHOWN_IDS) ?? null
  }

  /** The error to throw for a cell with the text. */
  refusal(): Refusal {
    return new Refusal(this.sentence, this.values)
  }
}

/** For a text that is the name of no record. */
export const none = (name: string): Unfound =>
  new Unfound('There is no record "{text}".', { text: headOf(name, 80) }, [])

/** For a text that only archived records have as their name. */
export const archivedOnly = (name: string, ids: readonly number[]): Unfound =>
  new Unfound('The record "{text}" is archived.', { text: headOf(name, 80) }, ids)

/** For a text that is the name of more than one record. */
export const several = (name: string, ids: readonly number[]): Unfound =>
  new Unfound(
    '"{text}" is the name of several records: {ids}.',
    {
      text: headOf(name, 80),
      ids: ids.slice(0, SHOWN_IDS).join(', ') + (ids.length > SHOWN_IDS ? ' …' : ''),
    },
    ids,
  )

import { headOf } from '../../../domain/cut-text.ts'
import { Refusal } from '../../../model/fields/field.ts'

const SHOWN_IDS = 5

/**
 * Why a text stands for no record, in a sentence for the user. It is no error, since a file may have ten thousands of such texts and each
 * error would take the time to note where it was made.
 */
export class Unfound {
  readonly sentence: string
  readonly values: Refusal['values']
  /** The records it may stand for, if a person can settle that; null otherwise. */
  readonly ids: readonly number[] | null

  constructor(sentence: string, values: Refusal['values'], ids: readonly number[] | null = null) {
    this.sentence = sentence
    this.values = values
    this.ids = ids?.slice(0, SHOWN_IDS) ?? null
  }

  /** What is thrown for a cell with the text. */
  refusal(): Refusal {
    return new Refusal(this.sentence, this.values)
  }
}

/** Of a text that is the name of no record. */
export const none = (name: string): Unfound =>
  new Unfound('There is no record "{text}".', { text: headOf(name, 80) }, [])

/** Of a text that is the name of more than one. */
export const several = (name: string, ids: readonly number[]): Unfound =>
  new Unfound(
    '"{text}" is the name of several records: {ids}.',
    {
      text: headOf(name, 80),
      ids: ids.slice(0, SHOWN_IDS).join(', ') + (ids.length > SHOWN_IDS ? ' …' : ''),
    },
    ids,
  )

/** A text of a relation column that somebody has to say what it means. */
export interface ValueToSettle {
  readonly column: string
  readonly value: string
  /** Rows that have it. */
  readonly rows: number
  /** The model that it should name a record of. */
  readonly model: string
  /** Several records have this name. */
  readonly isSeveral: boolean
  /** Records it may stand for, the likeliest first. */
  readonly choices: readonly (readonly [id: number, name: string])[]
  /** The one of them that is meant in all likelihood. */
  readonly suggested: number | null
}

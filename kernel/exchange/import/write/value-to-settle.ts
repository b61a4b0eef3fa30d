/** A text of a relation column whose record the user has to choose. */
export interface ValueToSettle {
  readonly column: string
  readonly value: string
  /** Rows that have it. */
  readonly rows: number
  /** The model of the record. */
  readonly model: string
  /** Several records have this name. */
  readonly isSeveral: boolean
  /** One record has this name, and it is archived. */
  readonly isArchived: boolean
  /** Records it may stand for, the likeliest first. */
  readonly choices: readonly (readonly [id: number, name: string])[]
  /** The choice that is very likely meant. */
  readonly suggested: number | null
}

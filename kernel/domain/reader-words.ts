/** The words in which a reader sees the texts of a record, and in which these are compared. */
export interface ReaderWords {
  /** The language of translated texts; absent: English. */
  readonly lang?: string | undefined
  /** Translates the labels of selections; absent: a selection is its key. */
  readonly t?: ((text: string) => string) | undefined
}

/** English texts and the keys of selections, the same for everybody. */
export const NO_READER: ReaderWords = {}

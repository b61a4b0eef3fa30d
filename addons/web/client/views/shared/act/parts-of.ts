/** Ids that one call takes, and rows that one answer has at most; see `LIMITS` of the server. */
export const BATCH_SIZE = 500

/** The ids in parts that one call takes. */
export const partsOf = (ids: readonly number[], size = BATCH_SIZE): readonly (readonly number[])[] =>
  Array.from({ length: Math.ceil(ids.length / size) }, (_, at) => ids.slice(at * size, (at + 1) * size))

const LARGEST_ID = 2_147_483_647

/** Whether a wire value can be the id of a record at all. */
export const isRecordId = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value > 0 && value <= LARGEST_ID

const MAX_ID = 2_147_483_647

/** The database id in a cell: decimal digits alone, so that `0x1` and `1e1` name no record; null for any other text. */
export function databaseId(text: string): number | null {
  const id = /^[1-9]\d{0,9}$/.test(text) ? Number(text) : 0
  return id > 0 && id <= MAX_ID ? id : null
}

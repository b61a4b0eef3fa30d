/** As `ref` of a table: arrow keys go between its cells as soon as the code for them is there; without it Tab goes through them. */
export const loadTableKeys = (table: HTMLTableElement | null): void => {
  if (table) bindLater(table).catch(() => undefined)
}

const bindLater = async (table: HTMLTableElement): Promise<void> =>
  (await import('./table-keys.ts')).bindTableKeys(table)

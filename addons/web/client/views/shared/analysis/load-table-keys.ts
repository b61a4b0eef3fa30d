/** As `ref` of a table: arrow keys go between its cells as soon as the code for them is there; without it Tab goes through them. */
export const loadTableKeys = (table: HTMLTableElement | null): void => {
  if (table)
    import('./table-keys.ts').then(
      ({ bindTableKeys }) => bindTableKeys(table),
      () => undefined,
    )
}

import { deferred } from '../../../core/deferred.tsx'

const tableKeys = deferred(() => import('./table-keys.ts'))

/** As `ref` of a table: arrow keys go between its cells as soon as the code for them is there; without it Tab goes through them. */
export const loadTableKeys = (table: HTMLTableElement | null): void => {
  if (table)
    tableKeys
      .load()
      .then((keys) => keys.bindTableKeys(table))
      .catch(() => undefined)
}

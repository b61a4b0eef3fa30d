import { formatInteger } from './format.ts'
import { t, tn } from './i18n.ts'

/** “118 contacts”, or “118 records” where nothing says what they are called. `n` is the number as text. */
export const recordsText = (
  count: number,
  names?: readonly [one: string, several: string],
  n = formatInteger(count),
): string =>
  names ? t('{n} {noun}', { n, noun: names[count === 1 ? 0 : 1] }) : tn(count, '{n} record', '{n} records', { n })

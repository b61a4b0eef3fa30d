import { formatInteger } from './format.ts'
import { t, tn } from './i18n.ts'

/** “118 contacts”, or “118 records” without a word for them. `n` is the number as text. */
export const recordsText = (
  count: number,
  names?: readonly [one: string, several: string],
  n = formatInteger(count),
): string =>
  names ? t('{n} {noun}', { n, noun: names[count === 1 ? 0 : 1] }) : tn(count, '{n} record', '{n} records', { n })

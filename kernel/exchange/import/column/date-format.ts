import { headOf } from '../../../domain/cut-text.ts'
import { wallToInstant, type Zone } from '../../../domain/zone.ts'
import { canonicalInstant, isCalendarDate } from '../../../model/fields/date.ts'
import { Refusal } from '../../../model/fields/field.ts'

/** How a column writes dates. The separators between the numbers do not matter. */
export const DATE_FORMATS = ['YYYY-MM-DD', 'DD.MM.YYYY', 'DD/MM/YYYY', 'MM/DD/YYYY'] as const
export type DateFormat = (typeof DATE_FORMATS)[number]

const DATE = /^(\d{1,4})[./-](\d{1,2})[./-](\d{1,4})$/
const TIME = /^(\d{1,2}):(\d{2})(?::(\d{2})(\.\d{1,3})?)? ?([AaPp][Mm])?$/
const MAX_CHARS = 40

const refused = (text: string, format: DateFormat) =>
  new Refusal('"{text}" is not a date like {format}.', { text: headOf(text, 80), format })

/** The day, as `YYYY-MM-DD`. */
export function readDate(text: string, format: DateFormat): string {
  const [, a = '', b = '', c = ''] = (text.length <= MAX_CHARS && DATE.exec(text)) || []
  const [year, month, day] = a.length === 4 ? [a, b, c] : format === 'MM/DD/YYYY' ? [c, a, b] : [c, b, a]
  const whole = `${fullYear(year)}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  if (!isCalendarDate(whole)) throw refused(text, format)
  return whole
}

/** Two digits mean the years from 1970 to 2069. */
const fullYear = (year: string): string => (year.length === 2 ? `${Number(year) < 70 ? '20' : '19'}${year}` : year)

/** The instant in UTC; a time without an offset is one of the zone, a date alone its midnight. */
export function readDatetime(text: string, format: DateFormat, zone: Zone): string {
  const instant = text.length <= MAX_CHARS ? canonicalInstant(text.replace(' ', 'T')) : null
  if (instant !== null) return instant
  const at = text.search(/[T ]/)
  const day = readDate(at < 0 ? text : text.slice(0, at), format)
  const time = at < 0 ? 0 : readTime(text.slice(at + 1).trim())
  if (time === null) throw refused(text, format)
  return new Date(wallToInstant(zone, Date.parse(`${day}T00:00:00Z`) + time)).toISOString()
}

/** Milliseconds since midnight; null for anything that is no time of a day. */
function readTime(text: string): number | null {
  const [, hours, minutes, seconds = '0', fraction = '0', half] = TIME.exec(text) ?? []
  if (hours === undefined) return null
  const isLate = half?.toLowerCase() === 'pm'
  const hour = half === undefined ? Number(hours) : (Number(hours) % 12) + (isLate ? 12 : 0)
  if (hour > 23 || Number(minutes) > 59 || Number(seconds) > 59) return null
  return ((hour * 60 + Number(minutes)) * 60 + Number(seconds) + Number(fraction)) * 1_000
}

/** The format that the values of a column have in common; where day and month could be swapped, the habit of the language decides. */
export function guessDateFormat(values: Iterable<string>, lang: string): DateFormat {
  let slashed: DateFormat | null = null
  for (const text of values) {
    const [, a = '', b = ''] = (text.length <= MAX_CHARS && DATE.exec(text.split(/[T ]/, 1)[0]!)) || []
    if (a.length === 4) return 'YYYY-MM-DD'
    if (a === '') continue
    if (text.includes('.')) return 'DD.MM.YYYY'
    if (Number(a) > 12) return 'DD/MM/YYYY'
    if (Number(b) > 12) return 'MM/DD/YYYY'
    slashed = lang === 'en' || lang === 'en-US' ? 'MM/DD/YYYY' : 'DD/MM/YYYY'
  }
  return slashed ?? 'YYYY-MM-DD'
}

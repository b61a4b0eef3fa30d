import { parseMoment } from '../domain/relative.ts'
import { UTC } from '../domain/zone.ts'
import { type Field, type FieldTypeName, Refusal } from '../model/fields/field.ts'

const YES: ReadonlySet<string> = new Set(['1', 'true', 'yes'])
const NO: ReadonlySet<string> = new Set(['0', 'false', 'no'])

function readBoolean(text: string): boolean {
  const word = text.toLowerCase()
  if (!YES.has(word) && !NO.has(word)) throw new Refusal(`"${text}" is neither true nor false.`)
  return YES.has(word)
}

function readNumber(text: string): number {
  const value = Number(text)
  if (text.trim() === '' || Number.isNaN(value)) throw new Refusal(`"${text}" is not a number.`)
  return value
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Refusal('Is not JSON.')
  }
}

const DAY_AND_TIME = /^(\S+) (\d{2}:\d{2})$/

/** Dates relative to the day of loading (`today`, `-12d`, `+2w`), for demo data; other text is returned unchanged. */
function readDate(text: string, now: Date): string {
  const moment = parseMoment(text, now, () => UTC)
  return moment?.kind === 'day' ? moment.day : text
}

/** Like `readDate`, with a time (`-12d 09:30`, UTC) or relative to now (`now`, `-3h`). */
function readDatetime(text: string, now: Date): string {
  const [, day, time] = DAY_AND_TIME.exec(text) ?? []
  if (day !== undefined) return `${readDate(day, now)}T${time}:00Z`
  const moment = parseMoment(text, now, () => UTC)
  return moment?.kind === 'instant' ? moment.instant : text
}

/**
 * Converts the text of a data file into a wire value, which the field then validates. Types not listed take the text itself.
 */
const READERS: Partial<Record<FieldTypeName, (text: string, now: Date) => unknown>> = {
  boolean: readBoolean,
  integer: readNumber,
  float: readNumber,
  monetary: readNumber,
  date: readDate,
  datetime: readDatetime,
  json: readJson,
}

/** Empty text means unset. Throws `Refusal`. */
export function parseFieldText(field: Field, text: string, now: Date): unknown {
  if (field.relation !== null) throw new Refusal('Links to records, so it takes ref="…" instead of text.')
  if (text === '') return null
  const read = READERS[field.type.name]
  return read ? read(text, now) : text
}

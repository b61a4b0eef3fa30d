import { type Field, type FieldTypeName, Refusal } from '../model/field.ts'

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

/** Wire value of the text in a data file; the field then checks it like any other. Unlisted types take the text itself. */
const READERS: Partial<Record<FieldTypeName, (text: string) => unknown>> = {
  boolean: readBoolean,
  integer: readNumber,
  float: readNumber,
  monetary: readNumber,
  json: readJson,
}

/** Empty text means unset. Throws `Refusal`. */
export function readText(field: Field, text: string): unknown {
  if (field.relation !== null) throw new Refusal('Links to records, so it takes ref="…" instead of text.')
  if (text === '') return null
  const read = READERS[field.type.name]
  return read ? read(text) : text
}

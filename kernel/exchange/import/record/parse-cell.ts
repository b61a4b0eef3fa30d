import { headOf } from '../../../domain/cut-text.ts'
import { createZone } from '../../../domain/zone.ts'
import type { Env } from '../../../env.ts'
import { parseJson } from '../../../http/json.ts'
import { type Field, type FieldTypeName, Refusal } from '../../../model/fields/field.ts'
import { unguardFormula } from '../../cell/formula-guard.ts'
import { type DateFormat, readDate, readDatetime } from '../column/date-format.ts'
import { type NumberFormat, readNumber } from '../column/number-format.ts'

/** Turns the text of a cell, which is not blank, into a wire value for its field. Throws `Refusal`. */
export type CellReader = (text: string) => unknown

const YES: ReadonlySet<string> = new Set(['1', 'true', 'yes', 'y', 'on'])
const NO: ReadonlySet<string> = new Set(['0', 'false', 'no', 'n', 'off'])

function readBoolean(text: string): boolean {
  const word = text.trim().toLowerCase()
  if (!YES.has(word) && !NO.has(word)) throw new Refusal('"{text}" is neither yes nor no.', { text: headOf(text, 80) })
  return YES.has(word)
}

/** With the limits of a body, so that a cell holds what a call may write. */
function readJson(text: string): unknown {
  try {
    return parseJson(unguardFormula(text))
  } catch {
    throw new Refusal('Is not JSON that can be stored.')
  }
}

/** By key or by label, in the language of the user or in English, in any case. */
function selectionReader(env: Env, { selection }: Field): CellReader {
  const keys = new Map<string, string>()
  for (const [key, label] of selection ?? []) {
    for (const text of [env.t(label), label, key]) keys.set(text.trim().toLowerCase(), key)
  }
  return (text) => {
    const key = keys.get(unguardFormula(text).trim().toLowerCase())
    if (key !== undefined) return key
    const choices = [...(selection ?? [])].slice(0, 10).map(([, label]) => env.t(label))
    throw new Refusal('"{text}" is none of: {choices}.', { text: headOf(text, 80), choices: choices.join(', ') })
  }
}

const readTrimmed: CellReader = (text) => unguardFormula(text).trim()

type MakeReader = (env: Env, field: Field, format: string | null) => CellReader

const numberReader: MakeReader = (_env, _field, format) => (text) =>
  readNumber(unguardFormula(text), (format ?? '1,234.56') as NumberFormat)

const dateFormat = (format: string | null) => (format ?? 'YYYY-MM-DD') as DateFormat

/** Types that are not listed take the text itself. */
const READERS: Partial<Record<FieldTypeName, MakeReader>> = {
  boolean: () => readBoolean,
  integer: numberReader,
  float: numberReader,
  monetary: numberReader,
  date: (_env, _field, format) => (text) => readDate(text.trim(), dateFormat(format)),
  datetime(env, _field, format) {
    const zone = createZone(env.tz)
    return (text) => readDatetime(text.trim(), dateFormat(format), zone)
  },
  selection: selectionReader,
  json: () => readJson,
  binary: () => readTrimmed,
  image: () => readTrimmed,
  reference: () => readTrimmed,
}

/** The reader of a column without a relation; make it once for all rows. */
export const cellReader: MakeReader = (env, field, format) =>
  READERS[field.type.name]?.(env, field, format) ?? unguardFormula

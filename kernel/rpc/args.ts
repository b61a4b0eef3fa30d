import { z } from 'zod'
import { isTimeZone } from '../domain/zone.ts'
import { isKnownLanguage } from '../i18n/language.ts'
import { LIMITS } from '../limits.ts'
import { isRecordId } from '../model/fields/field.ts'

/** Schemas of RPC arguments. Only their form is checked here; the ORM checks their meaning. */

export const domain = z.array(z.unknown()).meta({ description: 'Conditions [path, operator, value] and "&" "|" "!".' })

export const fieldNames = z.array(z.string()).max(LIMITS.fields)

/** Any whole number is allowed; one outside the range of ids is a record that does not exist. */
export const recordId = z.int()

export const recordIds = z.array(recordId).max(LIMITS.ids)

/** An id for use in a statement: a number outside the range of ids becomes one that no record has. */
export const sqlId = recordId.transform((id) => (isRecordId(id) ? id : 0))

const isValues = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Field values. Checked without copying them, since `create_many` takes up to a thousand records. */
export const values = z
  .custom<Readonly<Record<string, unknown>>>(isValues, 'Must be an object of field values.')
  .meta({ type: 'object', description: 'Field values by name.' })

const limitOf = (most: number) =>
  z
    .int()
    .min(0)
    .transform((given) => Math.min(given, most))
    .meta({ description: `More than ${most} counts as ${most}.` })

export const limit = limitOf(LIMITS.records)

export const groupLimit = limitOf(LIMITS.groups)

export const offset = z
  .int()
  .min(0)
  .max(LIMITS.offset, `Must be at most ${LIMITS.offset}. Page with cursor to go further.`)

export const order = z
  .string()
  .max(LIMITS.orderChars)
  .meta({ description: 'Field names, each with an optional " desc".' })

export const cursor = z.string().max(LIMITS.cursorChars)

export const archived = z.enum(['exclude', 'include', 'only'])

/** Keyword arguments every method takes. */
export const locale = {
  lang: z
    .string()
    .regex(/^[A-Za-z]{2,3}([-_][A-Za-z0-9]{2,8}){0,3}$/, 'Must be a language tag.')
    .refine(isKnownLanguage, 'Must be a language there is, like en or pt-BR.')
    .optional(),
  tz: z.string().refine(isTimeZone, 'Must be a time zone of the IANA database.').optional(),
}

/** `{id: version}`; in JSON the ids are text. */
export const baseVersion = z
  .record(z.string().regex(/^[1-9]\d{0,9}$/, 'Must be the id of a record.'), z.int().min(0))
  .transform((versions) => new Map(Object.entries(versions).map(([id, version]) => [Number(id), version])))

export const textMap = z.record(z.string(), z.string())

import { fromBase64 } from '../../bytes.ts'
import { LIMITS } from '../../limits.ts'
import { sql } from '../../sql/sql.ts'
import { DIRECT, orNull } from './direct.ts'
import type { Optional, Readable } from './field.ts'
import { type FieldDef, type FieldOptions, type FieldType, Refusal } from './field.ts'
import { readPicture } from './picture.ts'

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/

function parseBase64(value: unknown): string | null {
  if (typeof value !== 'string' || value.length % 4 !== 0 || !BASE64.test(value)) throw new Refusal('Must be base64.')
  return value === '' ? null : value
}

/** First bytes, in base64, of the image formats that browsers show and that cannot contain scripts. */
const PICTURES = { iVBORw0KGgo: 'image/png', '/9j/': 'image/jpeg', R0lGOD: 'image/gif', UklGR: 'image/webp' } as const

/** The media type of a picture; null for any other file. */
export const pictureType = (base64: string): string | null =>
  Object.entries(PICTURES).find(([start]) => base64.startsWith(start))?.[1] ?? null

/** Stored as bytes; base64 is used on the wire only. */
const binaryLike = (name: 'binary' | 'image', parse: FieldType['parse']): FieldType => ({
  ...DIRECT,
  name,
  comparison: 'opaque',
  sqlType: () => 'bytea',
  parse,
  bindType: 'text',
  bind: (value) => sql`decode(${value}, 'base64')`,
  select: (field, from) => [
    { alias: field.name, expression: sql`replace(encode(${from.column(field.column!)}, 'base64'), E'\n', '')` },
  ],
  sortable: false,
  groupable: false,
  measures: ['count'],
  /** The size in bytes. */
  summary: (field, from) => [{ alias: field.name, expression: sql`octet_length(${from.column(field.column!)})` }],
  widget: name,
  schema: (field) => orNull(field, { type: 'string', contentEncoding: 'base64' }),
})

const NOTHING = new Uint8Array()

export const binaryType = binaryLike('binary', parseBase64)

export const imageType = binaryLike('image', (value) => {
  const text = parseBase64(value)
  if (text === null) return null
  const size = readPicture(fromBase64(text) ?? NOTHING)
  if (size === null) throw new Refusal('Must be a PNG, JPEG, GIF or WebP picture.')
  // A program that shows the picture needs four bytes for each pixel, however small the file is.
  if (size.width * size.height > LIMITS.picturePixels)
    throw new Refusal('Must have at most {limit} million pixels.', { limit: LIMITS.picturePixels / 1_000_000 })
  return text
})

export const binary = <const O extends FieldOptions<string | null>>(
  options?: O,
): FieldDef<Readable<O, string>, Optional<O, string>> => ({ type: 'binary', options: options ?? {} })

export const image = <const O extends FieldOptions<string | null>>(
  options?: O,
): FieldDef<Readable<O, string>, Optional<O, string>> => ({ type: 'image', options: options ?? {} })

import { badRequest } from '../errors.ts'
import { decodeUtf8, mediaType, requireJson, requireUncompressed } from './body.ts'
import { parseJson } from './json.ts'

export interface SentForm {
  readonly fields: unknown
  readonly csrfToken: string | null
}

const FORM = 'application/x-www-form-urlencoded'
const MAX_FIELDS = 100

export const isForm = (headers: Headers): boolean => mediaType(headers) === FORM

/** The fields of a form, or of a JSON object sent instead. A repeated name has a list of values. */
export function parseForm(headers: Headers, bytes: Uint8Array): SentForm {
  requireUncompressed(headers)
  const fields = isForm(headers) ? formFields(decodeUtf8(bytes)) : jsonFields(headers, bytes)
  if (typeof fields !== 'object' || fields === null || Array.isArray(fields)) return { fields, csrfToken: null }
  const { csrf_token, ...rest } = fields as Record<string, unknown>
  return { fields: rest, csrfToken: typeof csrf_token === 'string' ? csrf_token : null }
}

function jsonFields(headers: Headers, bytes: Uint8Array): unknown {
  requireJson(headers)
  return parseJson(decodeUtf8(bytes))
}

export function formFields(text: string): Record<string, string | string[]> {
  const pairs = [...new URLSearchParams(text)]
  if (pairs.length > MAX_FIELDS) throw badRequest('limit_exceeded', 'The form has too many fields.')
  return listRepeated(pairs)
}

/** Pairs as an object; a repeated name has a list. `fromEntries` creates `__proto__` as an own member. */
export function listRepeated(pairs: Iterable<readonly [string, string]>): Record<string, string | string[]> {
  const values = new Map<string, string | string[]>()
  for (const [name, value] of pairs) {
    const earlier = values.get(name)
    values.set(name, earlier === undefined ? value : [earlier, value].flat())
  }
  return Object.fromEntries(values)
}

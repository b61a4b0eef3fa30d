import type { z } from 'zod'
import { badRequest } from '../errors.ts'
import { inputWords } from './input-words.ts'

/** Validates an input with a schema; throws BAD_REQUEST that names unknown keys, otherwise the first wrong position. */
export function parseInput<S extends z.ZodType>(schema: S, value: unknown, where = ''): z.output<S> {
  if (countKeys(value) > MAX_KEYS) throw badRequest('limit_exceeded', `${where || 'The body'} has too many keys.`)
  // Only what is wrong is parsed again for its words: without options, zod makes no object for each call.
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const { issues } = schema.safeParse(value, { error: inputWords }).error!
  // An unknown key is often the misspelt form of a missing one, so it is named first.
  const issue = issues.find(({ code, path }) => code === 'unrecognized_keys' && path.length === 0) ?? issues[0]!
  const path = pathText(where, issue.path).slice(0, MAX_CHARS)
  const message = issue.message.slice(0, MAX_CHARS)
  throw badRequest('input_invalid', path === '' ? message : `${path}: ${message}`, { path })
}

/** Real inputs have far fewer keys. Zod would check every key and list all unknown ones in its error. */
const MAX_KEYS = 100
/** Messages contain keys sent by the caller, so they are cut to this length. */
const MAX_CHARS = 200

const countKeys = (value: unknown): number =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.keys(value).length : 0

/** `args[1][0].name`, as one would write it in code. */
function pathText(where: string, path: readonly PropertyKey[]): string {
  let text = where
  for (const step of path) {
    text += typeof step === 'number' ? `[${step}]` : text === '' ? String(step) : `.${String(step)}`
  }
  return text
}

import { AppError, badRequest } from '../errors.ts'
import { LIMITS } from '../limits.ts'

const QUOTE = 0x22
const COMMA = 0x2c
const OPEN_ARRAY = 0x5b
const CLOSE_ARRAY = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d
const BACKSLASH = 0x5c
const LOWER_U = 0x75

/** Keys that are own keys after JSON.parse but change the prototype when the object is copied. */
const POISONED_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])
const MAYBE_POISONED = /__proto__|constructor|prototype|\\u/

/**
 * Parses untrusted JSON. A linear scan checks the limits first, because JSON.parse can take seconds on hostile text (8 MB of
 * `[`).
 */
export function parseJson(text: string): unknown {
  scan(text)
  const value = parse(text)
  if (MAYBE_POISONED.test(text)) refusePoisonedKeys(value)
  return value
}

/** Parses a parameter whose text is JSON; errors name the parameter. */
export function parseJsonParam(path: string, text: string): unknown {
  try {
    return parseJson(text)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    throw badRequest('input_invalid', `${path}: ${error.message.replace('The body', 'It')}`, { path })
  }
}

const notJson = () => badRequest('body_not_json', 'The body is not valid JSON.')

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw notJson()
  }
}

/** Limits nesting and the number of members (counted by commas and brackets) and checks every escape. */
function scan(text: string): void {
  let depth = 0
  let tokens = 0
  let strings = 0
  for (let i = 0; i < text.length; i++) {
    switch (text.charCodeAt(i)) {
      case QUOTE:
        // A member has at most two strings, a key and a value; more cannot be valid JSON.
        strings++
        if (strings > 2 * tokens + 1) throw notJson()
        i = endOfString(text, i + 1)
        break
      case OPEN_ARRAY:
      case OPEN_OBJECT:
        depth++
        tokens++
        if (depth > LIMITS.jsonDepth)
          throw badRequest('limit_exceeded', `The body is nested deeper than ${LIMITS.jsonDepth} levels.`)
        break
      case CLOSE_ARRAY:
      case CLOSE_OBJECT:
        depth--
        break
      case COMMA:
        tokens++
        break
    }
    if (tokens > LIMITS.jsonTokens)
      throw badRequest('limit_exceeded', `The body has more than ${LIMITS.jsonTokens} members.`)
  }
}

/** Index of the closing quote. */
function endOfString(text: string, start: number): number {
  for (let i = start; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === QUOTE) return i
    if (code !== BACKSLASH) continue
    i++
    if (text.charCodeAt(i) === LOWER_U) i = endOfEscape(text, i + 1)
  }
  throw notJson()
}

/** Index of the last digit of `\uXXXX`, or of the pair it opens. Refuses what PostgreSQL cannot store as text. */
function endOfEscape(text: string, start: number): number {
  const code = hex4(text, start)
  if (code === 0) throw badRequest('body_forbidden', 'The body contains a NUL character.')
  if (code < 0xd800 || code > 0xdfff) return start + 3
  const low = text.startsWith('\\u', start + 4) ? hex4(text, start + 6) : 0
  if (code > 0xdbff || low < 0xdc00 || low > 0xdfff)
    throw badRequest('body_forbidden', 'The body contains half of a surrogate pair.')
  return start + 9
}

/** Without a pattern or a slice: a megabyte of escapes takes 5 ms instead of 50. */
function hex4(text: string, start: number): number {
  let value = 0
  for (let i = start; i < start + 4; i++) value = value * 16 + hexDigit(text.charCodeAt(i))
  return value
}

function hexDigit(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30
  const lower = code | 0x20
  if (lower >= 0x61 && lower <= 0x66) return lower - 0x57
  throw notJson()
}

function refusePoisonedKeys(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  if (Array.isArray(value)) {
    for (const item of value) refusePoisonedKeys(item)
    return
  }
  for (const [key, item] of Object.entries(value)) {
    if (POISONED_KEYS.has(key)) throw badRequest('body_forbidden', `The key ${JSON.stringify(key)} is not allowed.`)
    refusePoisonedKeys(item)
  }
}

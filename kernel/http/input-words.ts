import type { z } from 'zod'

/** The words for a value of each type. */
const TYPES: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  tuple: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
}

const FORMATS: Readonly<Record<string, string>> = {
  email: 'Must be an e-mail address.',
  url: 'Must be a URL.',
}

/** What a limit counts, by the type of the limited value. */
const COUNTED: Readonly<Record<string, string>> = { string: 'character', array: 'entry' }
const PLURALS: Readonly<Record<string, string>> = { character: 'characters', entry: 'entries' }

/** The problem of an input in words for callers of an API, if its schema has no message; undefined: the library's message is good enough. */
export function inputWords(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.input === undefined && issue.code !== 'custom' && issue.code !== 'unrecognized_keys') return 'Is missing.'
  switch (issue.code) {
    case 'invalid_type':
      return issue.expected === 'never' ? 'Is not allowed.' : `Must be ${nameOf(issue.expected)}.`
    case 'invalid_value':
      return `Must be ${inOneOf(issue.values.map(String))}.`
    case 'invalid_union':
      return inUnion(issue.errors)
    case 'invalid_format':
      return FORMATS[issue.format] ?? 'Has a form that is not allowed.'
    case 'too_big':
      return limitWords(issue.origin, Number(issue.maximum), issue.inclusive === false ? 'less than' : 'at most')
    case 'too_small':
      return limitWords(issue.origin, Number(issue.minimum), issue.inclusive === false ? 'more than' : 'at least')
    default:
      return undefined
  }
}

const nameOf = (type: string): string => TYPES[type] ?? 'of another type'

const inOneOf = (values: readonly string[]): string =>
  values.length === 1 ? values[0]! : `one of ${values.join(', ')}`

function limitWords(origin: string, limit: number, how: string): string {
  const counted = COUNTED[origin]
  if (counted === undefined) return `Must be ${how} ${limit}.`
  if (limit === 1 && how === 'at least') return 'Must not be empty.'
  return `Must have ${how} ${limit} ${limit === 1 ? counted : PLURALS[counted]}.`
}

/** The message for alternatives of different types; for other alternatives a single message would not fit. */
function inUnion(alternatives: readonly (readonly z.core.$ZodIssue[])[]): string {
  const types = alternatives.flat().map((issue) => (issue.code === 'invalid_type' ? issue.expected : null))
  const isByType = types.length > 0 && alternatives.every(({ length }) => length === 1) && !types.includes(null)
  return isByType
    ? `Must be ${[...new Set(types.map((type) => nameOf(type!)))].join(' or ')}.`
    : 'Has a form that is not allowed.'
}

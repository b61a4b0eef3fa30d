import { badRequest } from '../errors.ts'
import { JSON_DEPTH, TEXT_CHARS } from '../limits.ts'

/**
 * A domain as people write it in rules, actions and views: JSON, or the same with tuples, single quotes, True/False/None and
 * bare names. A bare dotted name becomes `{ var: name }`. Mistakes are BAD_REQUEST with the position in the text.
 */
export function parseDomainText(text: string): readonly unknown[] {
  if (text.length > TEXT_CHARS) return fail(0, `more than ${TEXT_CHARS} characters`)
  const reader = readTokens(text)
  const start = reader.peek().at
  const value = parseValue(reader, 0)
  const rest = reader.peek()
  if (rest.text !== '') return fail(rest.at, 'unexpected text after the end')
  return Array.isArray(value) ? value : fail(start, 'expected a list')
}

interface Token {
  /** Empty at the end. */
  readonly text: string
  readonly at: number
}

/** A reader with one token of look-ahead. */
interface Reader {
  peek(): Token
  next(): Token
}

/**
 * The alternatives of repeated groups start with different characters, so matching takes linear time. The last one matches
 * any other character.
 */
const TOKEN =
  /'(?:[^'\\\n]|\\[^\n])*'|"(?:[^"\\\n]|\\[^\n])*"|-?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*|[^ \t\r\n]/g
const NUMBER = /^-?\.?\d/
const NAME = /^[A-Za-z_]/
const ESCAPE = /\\(x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|.)/g

function readTokens(text: string): Reader {
  const matches = text.matchAll(TOKEN)
  const read = (): Token => {
    const { value, done } = matches.next()
    return done ? { text: '', at: text.length } : { text: value[0], at: value.index }
  }
  let ahead = read()
  return {
    peek: () => ahead,
    next() {
      const token = ahead
      ahead = read()
      return token
    },
  }
}

const WORDS: ReadonlyMap<string, boolean | null> = new Map([
  ['True', true],
  ['true', true],
  ['False', false],
  ['false', false],
  ['None', null],
  ['null', null],
])

function parseValue(reader: Reader, depth: number): unknown {
  const { text, at } = reader.next()
  if (depth > JSON_DEPTH) return fail(at, `nested deeper than ${JSON_DEPTH} levels`)
  if (text === '[') return parseItems(reader, ']', depth).items
  if (text === '(') return parseTuple(reader, depth)
  if (text === '{') return parseVariable(reader, at)
  if (text.length > 1 && (text[0] === "'" || text[0] === '"')) return unquote(text, at)
  if (NUMBER.test(text)) return parseNumber(text, at)
  if (!NAME.test(text)) return fail(at, text === '' ? 'unexpected end' : `unexpected ${text}`)
  return WORDS.has(text) ? WORDS.get(text) : { var: text }
}

function parseItems(reader: Reader, close: ']' | ')', depth: number): { items: unknown[]; commas: number } {
  const items: unknown[] = []
  let commas = 0
  while (reader.peek().text !== close) {
    items.push(parseValue(reader, depth + 1))
    const { text, at } = reader.peek()
    if (text === ',') {
      reader.next()
      commas++
    } else if (text !== close) return fail(at, `expected , or ${close}`)
  }
  reader.next()
  return { items, commas }
}

/** `(1)` is a value in brackets, `(1,)` a tuple of one. */
function parseTuple(reader: Reader, depth: number): unknown {
  const { items, commas } = parseItems(reader, ')', depth)
  return items.length === 1 && commas === 0 ? items[0] : items
}

/** `{"var": "user.id"}`, the only kind of object allowed in a domain. */
function parseVariable(reader: Reader, at: number): unknown {
  const [key, colon, name, close] = [reader.next(), reader.next(), reader.next(), reader.next()]
  const isQuoted = ({ text }: Token) => text.length > 1 && (text[0] === "'" || text[0] === '"')
  if (
    !isQuoted(key) ||
    !isQuoted(name) ||
    colon.text !== ':' ||
    close.text !== '}' ||
    unquote(key.text, at) !== 'var'
  ) {
    return fail(at, 'expected {"var": "name"}')
  }
  return { var: unquote(name.text, name.at) }
}

function parseNumber(text: string, at: number): number {
  const number = Number(text)
  return Number.isFinite(number) ? number : fail(at, 'a number that is too large')
}

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ...['"', "'", '\\', '/'].map((letter) => [letter, letter] as const),
  ...Object.entries({ n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' }),
])

const unquote = (text: string, at: number): string =>
  text.slice(1, -1).replace(ESCAPE, (_, code: string) => {
    if (code.length > 1) return String.fromCharCode(Number.parseInt(code.slice(1), 16))
    return ESCAPES.get(code) ?? fail(at, `unknown escape \\${code}`)
  })

function fail(at: number, problem: string): never {
  throw badRequest('domain_invalid', `Domain, character ${at + 1}: ${problem}.`, { position: at })
}

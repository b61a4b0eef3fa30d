/** A piece of markup. `text` is as it was written, references included. */
export type Token =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'open'; readonly name: string; readonly attributes: ReadonlyMap<string, string> }
  | { readonly kind: 'close'; readonly name: string }

/** Elements that are removed together with their content, such as scripts. */
const UNREADABLE: Readonly<Record<string, RegExp>> = Object.fromEntries(
  'script style textarea title iframe noscript noembed noframes xmp template svg math object select'
    .split(' ')
    .map((name) => [name, new RegExp(`</${name}[\\s/>]`, 'i')]),
)

const NAME_START = /[a-z]/i
const NOT_NAME = /[^a-z0-9-]/i
const NAME_END = /[\s/>]/
const ATTRIBUTE_END = /[\s/>=]/
const SPACE = /[\s/]/
const BLANK = /\s/
const VALUE_END = /[\s>]/

/**
 * Splits markup into tokens in linear time. Comments, declarations and instructions are left out, and so are elements such as
 * scripts with their content. A `<` that begins no complete tag is text.
 */
export function* tokenize(markup: string): Generator<Token> {
  const lastEnd = markup.lastIndexOf('>')
  let at = 0
  let textStart = 0
  while (at < lastEnd) {
    const start = markup.indexOf('<', at)
    if (start === -1 || start > lastEnd) break
    const tag = readTag(markup, start)
    if (tag === null) {
      at = start + 1
      continue
    }
    if (start > textStart) yield { kind: 'text', text: markup.slice(textStart, start) }
    if (tag.token !== null) yield tag.token
    at = tag.end
    textStart = at
  }
  if (textStart < markup.length) yield { kind: 'text', text: markup.slice(textStart) }
}

interface Tag {
  /** Null for a comment or another part that is left out. */
  readonly token: Token | null
  readonly end: number
}

/** The tag that begins at a `<` with a `>` somewhere behind it; null when the `<` is text. */
function readTag(markup: string, start: number): Tag | null {
  const next = markup[start + 1] ?? ''
  if (next === '!' || next === '?') return { token: null, end: endOfDeclaration(markup, start) }
  if (next === '/') {
    const end = markup.indexOf('>', start) + 1
    const name = nameAt(markup, start + 2)
    return { token: name === null ? null : { kind: 'close', name }, end }
  }
  const name = nameAt(markup, start + 1)
  return name === null ? null : readOpening(markup, start, name)
}

function endOfDeclaration(markup: string, start: number): number {
  if (!markup.startsWith('<!--', start)) return markup.indexOf('>', start) + 1
  const end = markup.indexOf('-->', start + 2)
  return end === -1 ? markup.length : end + 3
}

/** The name of an element; null for anything else in angle brackets, such as a mail address. */
function nameAt(markup: string, start: number): string | null {
  const end = find(NOT_NAME, markup, start)
  const isName = NAME_START.test(markup[start] ?? '') && NAME_END.test(markup[end] ?? '')
  return isName ? markup.slice(start, end).toLowerCase() : null
}

function readOpening(markup: string, start: number, name: string): Tag {
  const attributes = new Map<string, string>()
  let at = start + 1 + name.length
  for (;;) {
    while (SPACE.test(markup[at] ?? '')) at++
    if (at >= markup.length) return { token: null, end: markup.length }
    if (markup[at] === '>') break
    const attribute = readAttribute(markup, at)
    if (!attributes.has(attribute.name)) attributes.set(attribute.name, attribute.value)
    at = attribute.end
  }
  const content = Object.hasOwn(UNREADABLE, name) ? UNREADABLE[name]! : null
  if (content === null) return { token: { kind: 'open', name, attributes }, end: at + 1 }
  const offset = markup.slice(at + 1).search(content)
  return { token: null, end: offset === -1 ? markup.length : markup.indexOf('>', at + 1 + offset) + 1 || markup.length }
}

function readAttribute(markup: string, start: number) {
  // A name may begin with any character, even `=`.
  let at = find(ATTRIBUTE_END, markup, start + 1)
  const name = markup.slice(start, at).toLowerCase()
  const equals = skipBlank(markup, at)
  if (markup[equals] !== '=') return { name, value: '', end: at }
  at = skipBlank(markup, equals + 1)
  const quote = markup[at]
  if (quote !== '"' && quote !== "'") {
    const end = find(VALUE_END, markup, at)
    return { name, value: markup.slice(at, end), end }
  }
  const closing = markup.indexOf(quote, at + 1)
  const end = closing === -1 ? markup.length : closing
  return { name, value: markup.slice(at + 1, end), end: end + 1 }
}

function skipBlank(markup: string, start: number): number {
  let at = start
  while (BLANK.test(markup[at] ?? '')) at++
  return at
}

/** Where a pattern first matches from `start` on; the end of the text when it does not. */
function find(pattern: RegExp, text: string, start: number): number {
  for (let at = start; at < text.length; at++) if (pattern.test(text[at]!)) return at
  return text.length
}

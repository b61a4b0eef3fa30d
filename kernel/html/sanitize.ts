import { decodeHtml, escapeAttribute, normalizeText } from './entities.ts'
import { type Token, tokenize } from './tokens.ts'

/** What is allowed in markup: element → attribute → function that returns the value to keep, or null. */
export type Allowlist = ReadonlyMap<string, Readonly<Record<string, (value: string) => string | null>>>

const SAFE_ADDRESS = /^(?:https?:\/\/|mailto:)[^\s]/i
const MAX_ADDRESS_CHARS = 2_000

/**
 * Allows absolute http, https and mailto addresses; anything a browser could execute or resolve on our own origin is removed.
 */
function address(value: string): string | null {
  const trimmed = value.trim()
  return trimmed.length <= MAX_ADDRESS_CHARS && SAFE_ADDRESS.test(trimmed) ? trimmed : null
}

const recordId = (value: string): string | null => (/^[1-9][0-9]{0,9}$/.test(value) ? value : null)

const allow = (names: string): Allowlist =>
  new Map(names.split(' ').map((name) => [name, name === 'a' ? { href: address, 'data-mention': recordId } : {}]))

const MESSAGE_ELEMENTS = 'p br b strong i em ul ol li a blockquote code pre'
const DOCUMENT_ELEMENTS =
  'div span u s del ins sub sup small mark h1 h2 h3 h4 h5 h6 hr dl dt dd table caption thead tbody tfoot tr th td'

/** Elements allowed in messages. */
export const MESSAGE_HTML: Allowlist = allow(MESSAGE_ELEMENTS)
/** Elements allowed in html fields. */
export const DOCUMENT_HTML: Allowlist = allow(`${MESSAGE_ELEMENTS} ${DOCUMENT_ELEMENTS}`)

const words = (text: string): Readonly<Record<string, true>> =>
  Object.fromEntries(text.split(' ').map((word) => [word, true as const]))

/** Elements without content, which are never closed. */
const VOID = words('br hr input')
/** Elements whose start tag ends an open paragraph. */
const BLOCKS = words('p ul ol blockquote pre div h1 h2 h3 h4 h5 h6 hr dl table')
/** Elements that cannot be nested directly, with the elements that may be between them. */
const SIBLINGS: Readonly<Record<string, Readonly<Record<string, true>>>> = {
  li: words('ul ol'),
  a: {},
  dt: words('dl'),
  dd: words('dl'),
  tr: words('table'),
  td: words('table'),
  th: words('table'),
}
const MAX_DEPTH = 32

/**
 * Builds new markup with the same text: only elements and attributes of the allowlist, every element closed. Only text is
 * copied from the input, and it is escaped, so browsers cannot interpret it as anything else. Sanitising twice gives the same
 * result.
 */
export function sanitizeHtml(markup: string, allowed: Allowlist = MESSAGE_HTML): string {
  const open: string[] = []
  let out = ''
  const closeTo = (depth: number) => {
    while (open.length > depth) out += `</${open.pop()}>`
  }
  for (const token of tokenize(markup)) {
    if (token.kind === 'text') out += normalizeText(token.text)
    else if (!allowed.has(token.name)) continue
    else if (token.kind === 'close') {
      const depth = open.lastIndexOf(token.name)
      if (depth !== -1) closeTo(depth)
    } else {
      closeTo(depthFor(token.name, open))
      if (open.length >= MAX_DEPTH) continue
      out += `<${token.name}${attributesOf(token, allowed)}>`
      if (!Object.hasOwn(VOID, token.name)) open.push(token.name)
    }
  }
  closeTo(0)
  return out
}

/** How many of the open elements may stay open around this one. */
function depthFor(name: string, open: readonly string[]): number {
  const paragraph = Object.hasOwn(BLOCKS, name) ? open.lastIndexOf('p') : -1
  if (paragraph !== -1) return paragraph
  const between = Object.hasOwn(SIBLINGS, name) ? SIBLINGS[name]! : null
  if (between === null) return open.length
  for (let depth = open.length - 1; depth >= 0; depth--) {
    if (open[depth] === name) return depth
    if (Object.hasOwn(between, open[depth]!)) break
  }
  return open.length
}

function attributesOf({ name, attributes }: Extract<Token, { kind: 'open' }>, allowed: Allowlist): string {
  let text = ''
  for (const [attribute, keep] of Object.entries(allowed.get(name)!)) {
    const given = attributes.get(attribute)
    const value = given === undefined ? null : keep(decodeHtml(given))
    if (value !== null) text += ` ${attribute}="${escapeAttribute(value)}"`
  }
  return text
}

/** The text of sanitised markup, without its elements. */
export const textOfHtml = (markup: string): string => {
  let text = ''
  for (const token of tokenize(markup)) text += token.kind === 'text' ? decodeHtml(token.text) : ' '
  return text
}

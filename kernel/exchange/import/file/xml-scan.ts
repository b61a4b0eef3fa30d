import { Refusal } from '../../../model/fields/field.ts'

export interface ScannedElement {
  /** The start tag without its brackets. */
  readonly head: string
  readonly body: string
}

export const unreadable = () => new Refusal('The file is no Excel workbook that can be read. Save it as .xlsx or CSV.')

/** Elements whose names only begin like the one that is looked for: a workbook has a handful. */
const MAX_OTHERS = 1_000

/**
 * The elements of a name in the XML of a workbook, in order; elements of one name never contain each other there. A scan of the text
 * instead of a document, which would be many times as large as the sheet.
 */
export function* elements(xml: string, name: string): Generator<ScannedElement> {
  const [open, close] = [`<${name}`, `</${name}>`]
  let at = xml.indexOf(open)
  let others = 0
  while (at >= 0) {
    const after = xml[at + open.length]
    const end = xml.indexOf('>', at)
    if (end < 0) return
    if (after !== '>' && after !== '/' && after !== ' ' && after !== '\n' && after !== '\r' && after !== '\t') {
      if (++others > MAX_OTHERS) throw unreadable()
      at = xml.indexOf(open, end)
      continue
    }
    const head = xml.slice(at + 1, end)
    if (head.endsWith('/')) {
      yield { head, body: '' }
      at = xml.indexOf(open, end)
      continue
    }
    const stop = xml.indexOf(close, end)
    if (stop < 0) return
    yield { head, body: xml.slice(end + 1, stop) }
    at = xml.indexOf(open, stop)
  }
}

/** The value of an attribute in a start tag. */
export function attribute(head: string, name: string): string | null {
  const at = head.indexOf(` ${name}="`)
  if (at < 0) return null
  const from = at + name.length + 3
  const end = head.indexOf('"', from)
  return end < 0 ? null : unescapeXml(head.slice(from, end))
}

/** Markup for each character that a text may have: rich text needs some. */
const MARKUP_PER_CHAR = 16

/**
 * The text of all `t` elements inside, since rich text has several; without that of phonetic guides. Reading one text cannot be
 * interrupted, so of markup that is too long for `maxChars` it is a longer text, whatever it says.
 */
export function richText(body: string, maxChars: number): string {
  if (body.length > maxChars * MARKUP_PER_CHAR) return body.slice(0, maxChars + 1)
  let text = ''
  const shown = body.includes('<rPh') ? body.slice(0, body.indexOf('<rPh')) : body
  for (const { body: part } of elements(shown, 't')) text += unescapeXml(part)
  return text.includes('_x') ? text.replace(ESCAPED, (_whole, code: string) => charOf(code)) : text
}

/** How the format escapes a character that XML cannot contain, and a text that looks like such an escape. */
const ESCAPED = /_x([0-9a-f]{4})_/gi

const charOf = (code: string): string => String.fromCharCode(Number.parseInt(code, 16))

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function unescapeXml(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(/&(#x[0-9a-f]{1,6}|#\d{1,7}|[a-z]{2,4});/gi, (whole, entity: string) => {
    if (!entity.startsWith('#')) return NAMED[entity] ?? whole
    const code = entity[1] === 'x' ? Number.parseInt(entity.slice(2), 16) : Number(entity.slice(1))
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : ''
  })
}

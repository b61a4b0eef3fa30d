const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0' }

const REFERENCE = /&(?:#x([0-9a-f]{1,6})|#([0-9]{1,7})|([a-z][a-z0-9]{1,31}));/gi
const REPLACEMENT = '\ufffd'

/** Text as it stands between tags. */
export const escapeText = (text: string): string => text.replace(/[&<>]/g, (character) => ESCAPES[character]!)

/** Text as it stands inside a double-quoted attribute. */
export const escapeAttribute = (text: string): string => text.replace(/[&<>"]/g, (character) => ESCAPES[character]!)

/** Decodes character references in markup. Only the few common names are known; others are left unchanged. */
export const decodeHtml = (markup: string): string =>
  markup.replace(REFERENCE, (whole, hex: string | undefined, digits: string | undefined, name: string | undefined) =>
    name === undefined ? characterOf(hex ? Number.parseInt(hex, 16) : Number(digits)) : (NAMED[name] ?? whole),
  )

/** Text with its references decoded and escaped again; references with unknown names are kept. */
export const normalizeText = (markup: string): string =>
  markup
    .split(UNKNOWN)
    .map((part, index) => (index % 2 === 1 && !isKnown(part) ? part : escapeText(decodeHtml(part))))
    .join('')

/** Splits so that every other part is a named reference. */
const UNKNOWN = /(&[a-z][a-z0-9]{1,31};)/i
const isKnown = (reference: string) => Object.hasOwn(NAMED, reference.slice(1, -1))

function characterOf(code: number): string {
  const isControl = (code < 0x20 && code !== 9 && code !== 10 && code !== 13) || (code >= 0x7f && code < 0xa0)
  const isSurrogate = code >= 0xd800 && code < 0xe000
  return isControl || isSurrogate || code > 0x10ffff ? REPLACEMENT : String.fromCodePoint(code)
}

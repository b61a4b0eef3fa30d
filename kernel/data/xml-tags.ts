/** A tag as it stands in a text of XML. */
export interface XmlTag {
  readonly at: number
  readonly kind: 'open' | 'close' | 'empty'
  /** How many attributes it has; words without a value count, too. */
  attributes(): number
}

/** Matches a part that contains no tags, such as a comment, or one tag; its quoted values may contain any character. */
const PARTS =
  /<!--[\s\S]*?(?:-->|$)|<!\[CDATA\[[\s\S]*?(?:\]\]>|$)|<\?[\s\S]*?(?:\?>|$)|<\/[^>]*|<[\p{L}_:](?:"[^"]*"|'[^']*'|[^"'>]+)*/gu

const VALUES = /"[^"]*"|'[^']*'/g
const WORDS = /[^\s=/]+/g

/** The tags of a text, from left to right, without building a tree; comments and other parts without tags are skipped. */
export function* tagsIn(text: string): Generator<XmlTag> {
  for (const { 0: part, index: at } of text.matchAll(PARTS)) {
    if (part.startsWith('<!') || part.startsWith('<?')) continue
    const kind = part.startsWith('</') ? 'close' : part.endsWith('/') ? 'empty' : 'open'
    yield { at, kind, attributes: () => (part.replace(VALUES, ' ').match(WORDS)?.length ?? 1) - 1 }
  }
}

import { escapeAttribute, escapeText } from './entities.ts'

const ADDRESS = /https?:\/\/[^\s<>"']+/gi
const TRAILING = '.,;:!?)]}'

const TAG = /<(?:\/?[a-z][a-z0-9-]*[\s/>]|!--|!\[|!doctype|\?xml)/i

/** Whether a text contains tags, and not just a `<` or an address in angle brackets. */
export const isMarkup = (text: string): boolean => TAG.test(text.slice(0, text.lastIndexOf('>') + 1))

/** Converts plain text to HTML: blank lines separate paragraphs, web addresses become links. */
export const htmlOfText = (text: string): string =>
  text
    .split(/\r?\n[ \t]*\r?\n/)
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => paragraph !== '')
    .map((paragraph) => `<p>${paragraph.split(/\r?\n/).map(linked).join('<br>')}</p>`)
    .join('')

function linked(line: string): string {
  let out = ''
  let at = 0
  for (const match of line.matchAll(ADDRESS)) {
    const address = withoutTrailing(match[0])
    out += `${escapeText(line.slice(at, match.index))}<a href="${escapeAttribute(address)}">${escapeText(address)}</a>`
    at = match.index + address.length
  }
  return out + escapeText(line.slice(at))
}

/** Removes punctuation that ends the sentence, not the address. */
function withoutTrailing(address: string): string {
  let end = address.length
  while (TRAILING.includes(address[end - 1]!)) end--
  return address.slice(0, end)
}

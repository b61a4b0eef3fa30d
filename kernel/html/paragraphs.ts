import { decodeHtml } from './entities.ts'
import { tokenize } from './tokens.ts'

const BLOCKS: ReadonlySet<string> = new Set([
  'p',
  'div',
  'ul',
  'ol',
  'li',
  'blockquote',
  'pre',
  'tr',
  'table',
  'h1',
  'h2',
  'h3',
  'h4',
  'hr',
])
const CELLS: ReadonlySet<string> = new Set(['td', 'th'])

/** The text of sanitised markup as it is read: a line for each paragraph, and a dot before each item of a list. */
export function paragraphsOfHtml(markup: string): string {
  let text = ''
  for (const token of tokenize(markup)) {
    if (token.kind === 'text') text += decodeHtml(token.text).replace(/\s+/g, ' ')
    else if (token.name === 'br' || BLOCKS.has(token.name)) text += '\n'
    else if (CELLS.has(token.name)) text += ' '
    if (token.kind === 'open' && token.name === 'li') text += '\u2022 '
  }
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('\n')
}

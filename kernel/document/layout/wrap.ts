import { cleanText } from '../font/clean-text.ts'
import type { TextMeasure } from '../font/font-set.ts'
import type { TextStyle } from './box.ts'

/** A word with the hyphens or slashes behind it, spaces, or one character of a script that has no spaces. */
const PIECE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]| +|[^ \p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}/-]+[/-]*|[/-]+/gu
/** A word that is longer is cut without looking for a better place. */
const MAX_WORD = 120

export const widthOf = (fonts: TextMeasure, text: string, { size, weight }: TextStyle): number =>
  (fonts.width(text, weight) * size) / 1_000

/** The lines of a text that is at most `width` wide; an empty text has none. */
export function wrapText(fonts: TextMeasure, text: string, style: TextStyle, width: number): string[] {
  const clean = cleanText(text).replace(/[ \n]+$/, '')
  return clean === '' ? [] : clean.split('\n').flatMap((line) => wrapLine(fonts, line, style, width))
}

/** Spaces at the end of a line take no room. */
const withoutEnd = (line: string): string => line.replace(/ +$/, '')

function wrapLine(fonts: TextMeasure, text: string, style: TextStyle, width: number): string[] {
  if (text.length <= MAX_WORD && widthOf(fonts, text, style) <= width) return [withoutEnd(text)]
  const lines: string[] = []
  let line = ''
  let used = 0
  for (const piece of piecesOf(text)) {
    const wide = widthOf(fonts, piece, style)
    const isSpace = piece.startsWith(' ')
    if (used + wide <= width || isSpace) {
      // A line does not begin with a space.
      if (line === '' && isSpace && lines.length > 0) continue
      line += piece
      used += wide
      continue
    }
    if (line !== '') lines.push(withoutEnd(line))
    const parts = wide <= width ? [piece] : cutWord(fonts, piece, style, width)
    lines.push(...parts.slice(0, -1))
    line = parts.at(-1)!
    used = widthOf(fonts, line, style)
  }
  return [...lines, withoutEnd(line)]
}

const piecesOf = (text: string): string[] =>
  [...text.matchAll(PIECE)].flatMap(([piece]) =>
    piece.length <= MAX_WORD ? [piece] : (piece.match(new RegExp(`[^]{1,${MAX_WORD}}`, 'gu')) ?? []),
  )

/** A word that is wider than a line, cut into lines. */
function cutWord(fonts: TextMeasure, word: string, style: TextStyle, width: number): string[] {
  const parts: string[] = []
  let part = ''
  for (const char of word) {
    if (part !== '' && widthOf(fonts, part + char, style) > width) {
      parts.push(part)
      part = ''
    }
    part += char
  }
  return [...parts, part]
}

/** The widest word, which a column should not cut; of very long ones only so much. */
export function widestWord(fonts: TextMeasure, text: string, style: TextStyle, most: number): number {
  let widest = 0
  for (const piece of piecesOf(text)) {
    if (!piece.startsWith(' ')) widest = Math.max(widest, widthOf(fonts, piece, style))
    if (widest >= most) return most
  }
  return widest
}

import { cleanText } from '../font/clean-text.ts'
import type { TextMeasure } from '../font/font-set.ts'
import type { TextStyle } from './box.ts'

/** A word with the hyphens or slashes behind it, spaces, or one character of a script that has no spaces. */
const PIECE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]| +|[^ \p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}/-]+[/-]*|[/-]+/gu
/** A word that is longer is cut without looking for a better place. */
const MAX_WORD = 120
/** However narrow its characters are, a line ends here: to draw one takes more time the longer it is. */
const MAX_LINE = 1_000
/** A letter with its marks, and what is joined to it. */
const CLUSTER = /.(?:[\p{M}\u200c]|\u200d.?)*/gsu

export const widthOf = (fonts: TextMeasure, text: string, { size, weight }: TextStyle): number =>
  (fonts.width(text, weight) * size) / 1_000

/** The lines of a text that is at most `width` wide; an empty text has none. */
export function wrapText(fonts: TextMeasure, text: string, style: TextStyle, width: number): string[] {
  const clean = withoutEnd(cleanText(text), ' \n')
  return clean === '' ? [] : clean.split('\n').flatMap((line) => wrapLine(fonts, line, style, width))
}

/** Spaces at the end of a line take no room. An expression for that would take the square of the time for many spaces. */
function withoutEnd(text: string, spaces = ' '): string {
  let end = text.length
  while (end > 0 && spaces.includes(text[end - 1]!)) end--
  return text.slice(0, end)
}

function wrapLine(fonts: TextMeasure, text: string, style: TextStyle, width: number): string[] {
  if (text.length <= MAX_WORD && widthOf(fonts, text, style) <= width) return [withoutEnd(text)]
  const lines: string[] = []
  let line = ''
  let used = 0
  for (const piece of piecesOf(text)) {
    const wide = widthOf(fonts, piece, style)
    const isSpace = piece.startsWith(' ')
    if ((used + wide <= width && line.length < MAX_LINE) || isSpace) {
      // A line does not begin with a space.
      if (isSpace && (line === '' ? lines.length > 0 : line.length >= MAX_LINE)) continue
      line += piece
      used += wide
      continue
    }
    if (line !== '') lines.push(withoutEnd(line))
    const parts = wide <= width ? [piece] : cutWord(fonts, piece, style, width)
    for (const part of parts.slice(0, -1)) lines.push(part)
    line = parts.at(-1)!
    used = widthOf(fonts, line, style)
  }
  return [...lines, withoutEnd(line)]
}

function* piecesOf(text: string): Generator<string> {
  for (const [piece] of text.matchAll(PIECE)) {
    if (piece.length <= MAX_WORD) yield piece
    else yield* shorterPieces(piece)
  }
}

function* shorterPieces(word: string): Generator<string> {
  let piece = ''
  for (const cluster of clustersOf(word)) {
    if (piece.length + cluster.length > MAX_WORD && piece !== '') {
      yield piece
      piece = ''
    }
    piece += cluster
  }
  yield piece
}

/** Never longer than a piece, whatever is joined. */
const clustersOf = (word: string): string[] =>
  (word.match(CLUSTER) ?? []).flatMap((cluster) => (cluster.length <= MAX_WORD ? [cluster] : [...cluster]))

/** A word that is wider than a line, cut into lines. Each letter is measured alone: to measure all that is before it takes too long. */
function cutWord(fonts: TextMeasure, word: string, style: TextStyle, width: number): string[] {
  const parts: string[] = []
  let part = ''
  let used = 0
  for (const cluster of clustersOf(word)) {
    const wide = widthOf(fonts, cluster, style)
    if (part !== '' && used + wide > width) {
      parts.push(part)
      part = ''
      used = 0
    }
    part += cluster
    used += wide
  }
  return [...parts, part]
}

/** The width of the widest word, which a column should not cut; at most `most`. */
export function widestWord(fonts: TextMeasure, text: string, style: TextStyle, most: number): number {
  let widest = 0
  for (const piece of piecesOf(text)) {
    if (!piece.startsWith(' ')) widest = Math.max(widest, widthOf(fonts, piece, style))
    if (widest >= most) return most
  }
  return widest
}

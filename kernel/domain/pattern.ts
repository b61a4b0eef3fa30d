import type { PatternOperator } from './ast.ts'
import { fold } from './fold.ts'

/** A LIKE pattern in pieces: literal text, `%` for any text, `_` for any one character. */
export type PatternPiece = { readonly text: string } | '%' | '_'

/**
 * The pattern an operator looks for. `like` and `ilike` mean "contains", so every character of theirs is literal; in the
 * others a backslash makes the next character literal, and is itself literal at the end. Literal pieces are folded one by
 * one, because folding can turn a letter into a wildcard (％ → %).
 */
export function patternOf(operator: PatternOperator, operand: string): readonly PatternPiece[] {
  const isContains = operator === 'like' || operator === 'ilike'
  const pieces = isContains ? (['%', { text: operand }, '%'] as const) : splitPattern(operand)
  if (operator === 'like' || operator === '=like') return pieces
  return pieces.map((piece) => (typeof piece === 'string' ? piece : { text: fold(piece.text) }))
}

function splitPattern(pattern: string): PatternPiece[] {
  const pieces: PatternPiece[] = []
  let text = ''
  for (let i = 0; i < pattern.length; i++) {
    const letter = pattern[i]!
    if (letter === '%' || letter === '_') {
      if (text !== '') pieces.push({ text })
      text = ''
      pieces.push(letter)
    } else if (letter === '\\' && i + 1 < pattern.length) {
      i++
      text += pattern[i]
    } else text += letter
  }
  if (text !== '') pieces.push({ text })
  return pieces
}

export const isFolded = (operator: string): boolean => operator === 'ilike' || operator === '=ilike'

const WILD = /[\\%_]/g

/** The pieces as LIKE of PostgreSQL reads them. */
export const patternToSql = (pieces: readonly PatternPiece[]): string =>
  pieces.map((piece) => (typeof piece === 'string' ? piece : piece.text.replace(WILD, '\\$&'))).join('')

/** Whether the whole text matches. After a mismatch only the last `%` is extended, which is enough to find a match. */
export function matchesPattern(pieces: readonly PatternPiece[], text: string): boolean {
  let position = 0
  let next = 0
  let afterWild = -1
  let wildEnd = 0
  while (next < pieces.length || position < text.length) {
    const piece = pieces[next]
    if (piece === '%') {
      next++
      if (next === pieces.length) return true
      afterWild = next
      wildEnd = seek(pieces[next]!, text, position)
      position = wildEnd
    } else {
      const end = piece === undefined ? -1 : advance(piece, text, position)
      if (end >= 0) {
        position = end
        next++
        continue
      }
      if (afterWild < 0 || wildEnd >= text.length) return false
      wildEnd = seek(pieces[afterWild]!, text, letterEnd(text, wildEnd))
      position = wildEnd
      next = afterWild
    }
    if (wildEnd < 0) return false
  }
  return true
}

/** The first position from `position` on where a literal piece occurs, -1 if there is none; for a wildcard `position` itself. */
const seek = (piece: PatternPiece, text: string, position: number): number =>
  typeof piece === 'string' ? position : text.indexOf(piece.text, position)

/** The position after one piece matched at `position`; -1 if it does not match. */
function advance(piece: { readonly text: string } | '_', text: string, position: number): number {
  if (piece === '_') return position < text.length ? letterEnd(text, position) : -1
  return text.startsWith(piece.text, position) ? position + piece.text.length : -1
}

/** A character is a code point, as in PostgreSQL, not half of a surrogate pair. */
const letterEnd = (text: string, position: number) => position + (text.codePointAt(position)! > 0xffff ? 2 : 1)

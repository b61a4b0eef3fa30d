/** One sentence about text that is no condition, with the place. */
export class ExpressionError extends Error {}

export interface ExpressionToken {
  readonly kind: 'text' | 'number' | 'name' | 'sign'
  /** A text without its quotes. */
  readonly text: string
  readonly at: number
}

/** The alternatives of repeated groups start with different characters, so matching takes linear time. The last one matches any other character. */
const TOKEN =
  /('(?:[^'\\]|\\[^\n])*'|"(?:[^"\\]|\\[^\n])*")|(\d+(?:\.\d+)?)|([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)|(===|!==|==|!=|<=|>=|&&|\|\||[<>!+*()[\],-])|\S/g

export function readExpressionTokens(text: string): ExpressionToken[] {
  return Array.from(text.matchAll(TOKEN), (match): ExpressionToken => {
    const [whole, quoted, number, name, sign] = match
    const at = match.index
    if (quoted !== undefined) return { kind: 'text', text: quoted.slice(1, -1).replace(/\\(.)/g, '$1'), at }
    if (number !== undefined) return { kind: 'number', text: number, at }
    if (name !== undefined) return { kind: 'name', text: name, at }
    if (sign !== undefined) return { kind: 'sign', text: sign, at }
    throw new ExpressionError(`Character ${at + 1}: "${whole}" is not expected here.`)
  })
}

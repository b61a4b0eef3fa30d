/** The text with another character in one place, so that a secret made at random is never hit by chance. */
export function mistyped(text: string, at = text.length - 1): string {
  return `${text.slice(0, at)}${text[at] === 'A' ? 'B' : 'A'}${text.slice(at + 1)}`
}

import { normalForm } from './normal-form.ts'

/** Share of the letters that may differ. */
const MAX_DIFFERENCE = 0.34
/** Longer names are not compared letter by letter. */
const MAX_CHARS = 60

/** A name of `MAX_CHARS` letters is not longer than this with signs and blanks; longer texts are not even normalised. */
const MAX_READ = 200

const plain = (text: string): string =>
  normalForm(text.toLowerCase(), 'NFKD')
    .replace(/[^\p{L}\p{N} ]+/gu, '')
    .trim()

/** A name in the form in which it is compared; null if it is too long or empty. */
function comparable(name: string): string | null {
  const text = name.length > MAX_READ ? '' : plain(name)
  return text === '' || text.length > MAX_CHARS ? null : text
}

/**
 * How similar other names are to this one, from 0 (not at all) to 1; null if it is too long or empty. A name that begins with the other
 * is more similar than one with different letters.
 */
export function closenessTo(name: string): ((other: string) => number) | null {
  const a = comparable(name)
  if (a === null) return null
  return (other) => {
    const b = comparable(other)
    return b === null ? 0 : closeness(a, b)
  }
}

/** Finds the known name that is most similar to another; null if none is. Known names are normalised once, and only for a first unknown one. */
export function mostLikeIn(known: Iterable<string>): (name: string) => string | null {
  let compared: readonly { readonly other: string; readonly text: string }[] | undefined
  return (name) => {
    const own = comparable(name)
    if (own === null) return null
    compared ??= [...known].flatMap((other) => {
      const text = comparable(other)
      return text === null ? [] : [{ other, text }]
    })
    let best: { readonly other: string | null; readonly is: number } = { other: null, is: 0 }
    for (const { other, text } of compared) {
      const is = closeness(own, text)
      if (is > best.is) best = { other, is }
    }
    return best.other
  }
}

/** Makes hints for sentences about unknown names, or nothing. */
export function hintsAt(known: Iterable<string>): (name: string) => string {
  const meantBy = mostLikeIn(known)
  return (name) => {
    const meant = meantBy(name)
    return meant === null ? '' : ` Did you mean "${meant}"?`
  }
}

function closeness(a: string, b: string): number {
  if (a.startsWith(b) || b.startsWith(a))
    return 0.7 + 0.3 * (Math.min(a.length, b.length) / Math.max(a.length, b.length))
  const chars = Math.max(a.length, b.length)
  // At least as many letters differ as the lengths do, so most names need not be compared letter by letter.
  if (Math.abs(a.length - b.length) / chars > MAX_DIFFERENCE) return 0
  const difference = distance(a, b) / chars
  return difference > MAX_DIFFERENCE ? 0 : 1 - difference
}

/** Letters to insert, delete, replace or swap with the next to make one text of the other. */
function distance(a: string, b: string): number {
  let before: number[] = []
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const changed = Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1))
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      next.push(isSwap ? Math.min(changed, before[j - 2]! + 1) : changed)
    }
    before = row
    row = next
  }
  return row[b.length]!
}

import { normalForm } from './normal-form.ts'

/** Share of the letters that may differ. */
const MAX_DIFFERENCE = 0.34
/** Longer names are not compared letter by letter. */
const MAX_CHARS = 60

/** Nor is more of a text read than such a name has with all its signs and blanks. */
const MAX_READ = 200

const plain = (text: string): string =>
  normalForm(text.toLowerCase(), 'NFKD')
    .replace(/[^\p{L}\p{N} ]+/gu, '')
    .trim()

/** A name as it is compared; null if it is compared with none. */
function comparable(name: string): string | null {
  const text = name.length > MAX_READ ? '' : plain(name)
  return text === '' || text.length > MAX_CHARS ? null : text
}

/**
 * How much alike other names are to this one, from 0 (not at all) to 1; null if it is compared with none. A name that begins with the
 * other is more alike than one with other letters.
 */
export function closenessTo(name: string): ((other: string) => number) | null {
  const a = comparable(name)
  if (a === null) return null
  return (other) => {
    const b = comparable(other)
    return b === null ? 0 : closeness(a, b)
  }
}

/** Finds the known name that another is most like; null if it is like none. What is known is brought into its form once. */
export function mostLikeIn(known: Iterable<string>): (name: string) => string | null {
  const compared = [...known].flatMap((other) => {
    const text = comparable(other)
    return text === null ? [] : [{ other, text }]
  })
  return (name) => {
    const own = comparable(name)
    if (own === null) return null
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
  // As many letters differ at least; most names need not be compared then.
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

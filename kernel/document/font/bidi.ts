/** A part of a line that runs in one direction. */
export interface DirectedRun {
  readonly text: string
  readonly isRightToLeft: boolean
}

const RTL =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Samaritan}\p{Script=Mandaic}\p{Script=Adlam}]/u
const LTR = /\p{L}/u
const NUMBER = /\p{Nd}/u
const MIRRORED: Readonly<Record<string, string>> = Object.fromEntries(
  ['()', '[]', '{}', '<>', '«»', '‹›'].flatMap(([left, right]) => [
    [left!, right!],
    [right!, left!],
  ]),
)

/**
 * The runs of a line in the order in which they are seen, by the main rules of the Unicode bidirectional algorithm: letters and
 * numbers have a direction, what stands between takes that of its neighbours if they agree, and else that of the line, which
 * is that of its first letter.
 */
export function directedRuns(text: string): readonly DirectedRun[] {
  if (!RTL.test(text)) return [{ text, isRightToLeft: false }]
  const chars = [...text]
  const levels = levelsOf(chars)
  const runs: { text: string; level: number }[] = []
  for (const [i, char] of chars.entries()) {
    const last = runs.at(-1)
    if (last && last.level === levels[i]) last.text += char
    else runs.push({ text: char, level: levels[i]! })
  }
  for (let level = Math.max(...levels); level > 0; level--) reverseFrom(runs, level)
  return runs.map((run) => ({
    text: run.level % 2 === 1 ? run.text.replace(/[()[\]{}<>«»‹›]/g, (char) => MIRRORED[char]!) : run.text,
    isRightToLeft: run.level % 2 === 1,
  }))
}

type Direction = 'left' | 'right'

/** 0: left to right. 1: right to left. 2: left to right within right to left, as numbers are. */
function levelsOf(chars: readonly string[]): readonly number[] {
  const base: Direction = RTL.test(chars.find((char) => LTR.test(char)) ?? '') ? 'right' : 'left'
  const letters = chars.map((char): Direction | null => (RTL.test(char) ? 'right' : LTR.test(char) ? 'left' : null))
  const before = carried(letters, base)
  // For characters next to a number, its direction is that of the letters before it.
  const strong = chars.map((char, i) => (NUMBER.test(char) ? before[i]! : letters[i]!))
  const left = carried(strong, base)
  const right = carried(strong.toReversed(), base).toReversed()
  return chars.map((char, i) => {
    const direction = strong[i] ?? (left[i] === right[i] ? left[i] : base)
    if (direction === 'right') return NUMBER.test(char) ? 2 : 1
    return base === 'right' ? 2 : 0
  })
}

/** For each place the last direction up to it. */
function carried(directions: readonly (Direction | null)[], base: Direction): Direction[] {
  let last = base
  return directions.map((direction) => {
    last = direction ?? last
    return last
  })
}

/** Reverses every sequence of runs at this level or above. */
function reverseFrom(runs: { level: number }[], level: number): void {
  for (let from = 0; from < runs.length; from++) {
    let to = from
    while (to < runs.length && runs[to]!.level >= level) to++
    if (to > from) runs.splice(from, to - from, ...runs.slice(from, to).reverse())
    from = to
  }
}

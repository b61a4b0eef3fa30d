import type { ViewPlace } from '../../data/view-lines.ts'
import type { ViewRow } from '../tables.ts'
import { describeProblem, type ViewProblem } from './resolve.ts'

/** Further problems are only counted; they are listed after the first ones are corrected. */
const MAX_LISTED = 50

/** Different items in words, each listed once; if there are too many, the first ones and the number of the others. */
export function listProblems<T>(
  items: readonly T[],
  { keyOf, describe }: { readonly keyOf: (item: T) => string; readonly describe: (item: T) => string },
): readonly string[] {
  const distinct = [...new Map(items.map((item) => [keyOf(item), item])).values()]
  const more = distinct.length - MAX_LISTED
  return [...distinct.slice(0, MAX_LISTED).map(describe), ...(more > 0 ? [`${more} more.`] : [])]
}

/** The problems in words, each listed once. */
export const describeProblems = (
  problems: readonly ViewProblem[],
  placeOf: (view: ViewRow) => ViewPlace | undefined = () => undefined,
): readonly string[] =>
  listProblems(problems, {
    keyOf: ({ hint: _, ...problem }) => describeProblem(problem, placeOf(problem.view)),
    describe: (problem) => describeProblem(problem, placeOf(problem.view)),
  })

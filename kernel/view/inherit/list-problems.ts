import type { ViewPlace } from '../../data/view-lines.ts'
import type { ViewRow } from '../tables.ts'
import { describeProblem, type ViewProblem } from './resolve.ts'

/** More are only counted: whoever mends these sees the rest next time. */
const MAX_LISTED = 50

/** Different items in words, each said once; of many the first ones, and how many there are besides. */
export function listProblems<T>(
  items: readonly T[],
  { keyOf, describe }: { readonly keyOf: (item: T) => string; readonly describe: (item: T) => string },
): readonly string[] {
  const distinct = [...new Map(items.map((item) => [keyOf(item), item])).values()]
  const more = distinct.length - MAX_LISTED
  return [...distinct.slice(0, MAX_LISTED).map(describe), ...(more > 0 ? [`${more} more.`] : [])]
}

/** The problems in words, each said once. */
export const describeProblems = (
  problems: readonly ViewProblem[],
  placeOf: (view: ViewRow) => ViewPlace | undefined = () => undefined,
): readonly string[] =>
  listProblems(problems, {
    keyOf: ({ hint: _, ...problem }) => describeProblem(problem, placeOf(problem.view)),
    describe: (problem) => describeProblem(problem, placeOf(problem.view)),
  })

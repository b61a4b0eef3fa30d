import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Rough average seconds of a file by folder. Other files take the time of the last entry. */
const SECONDS: readonly (readonly [folder: string, seconds: number])[] = [
  ['/test/web/browser/', 27],
  ['/test/types/', 28],
  ['/test/docs/', 25],
  ['/test/node/', 8],
  ['/test/attack/', 10],
  ['/test/api/', 5],
  ['/', 2],
]

const rankOf = ({ moduleId }: TestSpecification): number => SECONDS.findIndex(([folder]) => moduleId.includes(folder))

/** The files, each with the second at which one worker that runs nothing else would begin it. */
function startsOf(files: readonly TestSpecification[]) {
  let second = 0
  return files.map((file) => {
    const start = second
    second += SECONDS[rankOf(file)]![1]
    return { file, start }
  })
}

/**
 * Pages in a browser keep more than a core busy, other files wait much of their time for processes and clocks: they are mixed, so that
 * some of each run at any time. Long files come first, so that at the end no worker waits for one that began late; those of the client's
 * project come last, because its workers are not shared.
 */
export class MixedOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const longestFirst = (await super.sort(files)).toSorted((a, b) => rankOf(a) - rankOf(b))
    const shared = longestFirst.filter(({ project }) => !project.config.isolate)
    const starts = [
      ...startsOf(shared.filter((file) => rankOf(file) === 0)),
      ...startsOf(shared.filter((file) => rankOf(file) > 0)),
    ].toSorted((a, b) => a.start - b.start)
    return [...starts.map(({ file }) => file), ...longestFirst.filter(({ project }) => project.config.isolate)]
  }
}

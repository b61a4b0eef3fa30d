import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Where the long files are: pages in a browser, the compiler, real processes. */
const LONG = ['/test/web/browser/', '/test/types/', '/test/docs/', '/test/node/']

const rankOf = ({ moduleId }: TestSpecification): number => {
  const rank = LONG.findIndex((folder) => moduleId.includes(folder))
  return rank < 0 ? LONG.length : rank
}

/** Starts the files of long folders first, so that at the end no worker waits for one that began late. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((a, b) => rankOf(a) - rankOf(b))
  }
}

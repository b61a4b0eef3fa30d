import { afterAll, afterEach, beforeEach, type TestContext } from 'vitest'
import { NOT_ON_WORKERD } from './not-on-workerd.ts'

/** Whether this run has every host in workerd, whatever kind its suite names. */
export const allOnWorkerd = (): boolean => process.env['TEST_HOST'] === 'workerd'

/** `suite > group > test`, without the host. */
const entryOf = ({ task }: TestContext): string | undefined => {
  const name = task.fullTestName.replace(' [workerd]', '')
  return Object.keys(NOT_ON_WORKERD).find((entry) => name.startsWith(entry))
}

/**
 * For the tests of a suite that runs in workerd although it was not written for it. What the list names may fail and is skipped with the
 * reason then; an entry of which no test fails is needless, and fails the suite.
 */
export function excuseListed(): void {
  const passed = new Set<string>()
  const failed = new Set<string>()
  beforeEach((context) => {
    const entry = entryOf(context)
    if (entry !== undefined && failed.has(entry)) context.skip(NOT_ON_WORKERD[entry])
  })
  afterEach((context) => {
    const entry = entryOf(context)
    if (entry === undefined || context.task.result?.state === 'skip') return
    if (context.task.result?.state !== 'fail') return void passed.add(entry)
    failed.add(entry)
    context.skip(NOT_ON_WORKERD[entry])
  })
  afterAll(() => {
    const needless = [...passed].filter((entry) => !failed.has(entry))
    if (needless.length > 0) throw new Error(`These tests pass on workerd, so the list must not name them: ${needless}`)
  })
}

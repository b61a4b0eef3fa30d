import type { Reporter, TestModule } from 'vitest/node'
import { OF_NO_HOST } from './not-on-workerd.ts'

/**
 * Fails a run in workerd that left out a test without a reason: a test that names no host is not selected by the name of the host, and
 * otherwise it would not be noticed that it never runs there.
 */
export class LeftOut implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    for (const { children, relativeModuleId } of modules)
      for (const { fullName } of children.allTests('skipped')) {
        if (fullName.includes('[workerd]') || Object.keys(OF_NO_HOST).some((entry) => fullName.startsWith(entry)))
          continue
        console.error(`left out, and not in test/support/not-on-workerd.ts: ${relativeModuleId} > ${fullName}`)
        process.exitCode = 1
      }
  }
}

import type { Reporter, TestModule } from 'vitest/node'

/** Names the tests that failed once more, after all that was printed about them: one long message would hide the others. */
export class FailedNames implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    for (const { children, relativeModuleId } of modules)
      for (const test of children.allTests('failed')) console.error(`failed: ${relativeModuleId} > ${test.fullName}`)
  }
}

import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))

const PROJECTS = ['tsconfig.json', 'addons/web/client/tsconfig.json']

test.each(PROJECTS)('everything of %s compiles, and no line beside `@ts-expect-error` does', async (project) => {
  // Several checkers would each work out the types of all models again: more processor time, and on two cores no less time.
  const compile = promisify(execFile)('node_modules/.bin/tsc', ['-p', project, '--singleThreaded'], { cwd: root })
  const { stdout } = await compile.catch((error: { readonly stdout: string }) => error)
  expect(stdout).toBe('')
})

import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))

const PROJECTS = ['tsconfig.json', 'addons/web/client/tsconfig.json']

test.each(PROJECTS)('everything of %s compiles, and no line beside `@ts-expect-error` does', async (project) => {
  const compile = promisify(execFile)('node_modules/.bin/tsc', ['-p', project], { cwd: root })
  const { stdout } = await compile.catch((error: { readonly stdout: string }) => error)
  expect(stdout).toBe('')
})

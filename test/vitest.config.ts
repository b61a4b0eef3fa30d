import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { FailedNames } from './support/failed-names.ts'
import { LeftOut } from './support/left-out.ts'
import { MixedOrder } from './support/mixed-order.ts'

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** Files with a long form. */
const soakFiles = (): string[] =>
  ['test', 'addons'].flatMap((folder) =>
    readdirSync(at(`../${folder}`), { recursive: true, encoding: 'utf8' })
      .map((path) => `${folder}/${path}`)
      .filter(
        (path) => path.endsWith('.test.ts') && readFileSync(at(`../${path}`), 'utf8').includes('/support/soak.ts'),
      ),
  )

/** What a run has: everything, the files with a long form, or the API with every host in workerd. */
const SERVER_TESTS = ['test/**/*.test.ts', 'addons/**/test/*.test.ts']
const CLIENT_TESTS = ['test/web/*.test.ts']
const isWorkerd = process.env['TEST_HOST'] === 'workerd'
const serverFiles = isWorkerd ? ['test/api/*.test.ts'] : process.env['SOAK'] ? soakFiles() : SERVER_TESTS
const clientFiles = isWorkerd || process.env['SOAK'] ? [] : CLIENT_TESTS

export default defineConfig({
  root: at('..'),
  plugins: [
    {
      // As the build does for the web client.
      name: 'icon-sprite',
      enforce: 'pre',
      resolveId: (id) => (id === 'modulus:icons' ? '\0icons' : undefined),
      load: (id) => (id === '\0icons' ? "export default '/icons.svg'" : undefined),
    },
    {
      // As esbuild's binary loader does in the build.
      name: 'font-modules',
      enforce: 'pre',
      resolveId: (id) => (id.endsWith('.ttf') ? `\0font:${at(`../node_modules/${id}`)}` : undefined),
      load: (id) =>
        id.startsWith('\0font:')
          ? `import { readFileSync } from 'node:fs'; export default readFileSync(${JSON.stringify(id.slice(6))})`
          : undefined,
    },
    {
      // As esbuild's text loader does in the build.
      name: 'text-modules',
      enforce: 'pre',
      transform: (text, id) =>
        /\.(sql|xml|csv|txt)$/.test(id) ? { code: `export default ${JSON.stringify(text)}`, map: null } : undefined,
    },
  ],
  resolve: {
    alias: { '#kernel': at('../kernel/index.ts'), 'modulus/client': at('../kernel/client/client.ts') },
  },
  test: {
    pool: 'forks',
    // One more than there are cores where it runs usually: much of the time is spent waiting for processes and pages.
    maxWorkers: 3,
    sequence: { sequencer: MixedOrder },
    reporters: ['default', new FailedNames(), ...(isWorkerd ? [new LeftOut()] : [])],
    // How long `expect.poll` waits for a state; on a busy machine a state takes longer to come, not longer to hold.
    expect: { poll: { timeout: 90_000 } },
    // Only against a test that hangs: real servers, processes and browsers may share two busy cores.
    testTimeout: process.env['SOAK'] ? 6 * 3_600_000 : 600_000,
    hookTimeout: 600_000,
    ...(isWorkerd && { testNamePattern: /\[workerd\]/ }),
    projects: [
      {
        extends: true,
        test: {
          name: 'server',
          include: serverFiles,
          exclude: CLIENT_TESTS,
          globalSetup: [at('support/global-setup.ts')],
          // The kernel keeps no state in its modules, so a worker imports it once for all its files.
          isolate: false,
        },
      },
      {
        extends: true,
        // The client has registries that its modules fill, and some tests replace modules.
        test: { name: 'client', include: clientFiles, isolate: true },
      },
    ],
  },
})

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { build } from 'esbuild'
import { afterAll, beforeAll, expect, test } from 'vitest'

let folder: string

/** A process whose end is decided by `stopOnSignals` alone; what happens in it is the first argument. */
const CHILD = `
  import { createLog } from './runtime/node/log/log.ts'
  import { stopOnSignals } from './runtime/node/stop.ts'
  const log = createLog({ level: 'info', format: 'pretty', write: (line) => console.error(line), clock: () => new Date() })
  const happening = process.argv[2]
  let stops = 0
  stopOnSignals({
    stop: async ({ graceMs, idleMs }) => {
      console.log('stop ' + graceMs + ' ' + idleMs)
      if (happening === 'hang') await new Promise(() => {})
      if (happening === 'twice' && ++stops < 2) {
        process.kill(process.pid, 'SIGINT')
        await new Promise(() => {})
      }
      if (happening === 'npm') {
        const again = new Promise((resolve) => process.once('SIGINT', resolve))
        process.kill(process.pid, 'SIGINT')
        await again
      }
    },
  }, log)
  setInterval(() => {}, 1_000)
  const act = {
    throw: () => { throw new Error('boom') },
    reject: () => void Promise.reject(new Error('boom')),
    hang: () => { throw new Error('boom') },
    signal: () => process.kill(process.pid, 'SIGTERM'),
    twice: () => process.kill(process.pid, 'SIGINT'),
    npm: () => process.kill(process.pid, 'SIGINT'),
  }
  // In a turn of its own: an error while the file is still loading would end the import as well.
  setImmediate(act[happening])`

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'modulus-crash-'))
  await build({
    stdin: { contents: CHILD, resolveDir: resolve('.'), loader: 'ts' },
    outfile: join(folder, 'child.mjs'),
    bundle: true,
    platform: 'node',
    format: 'esm',
  })
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function run(happening: string) {
  // The tests themselves may have been started by npm.
  const { npm_lifecycle_event: _, ...env } = process.env
  const npm = happening === 'npm' ? { npm_lifecycle_event: 'start' } : {}
  const child = spawn(process.execPath, [join(folder, 'child.mjs'), happening], { env: { ...env, ...npm } })
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return { code, stdout, stderr }
}

test.each(['throw', 'reject'])(
  'an error nobody caught (%s) is logged, stops the service and ends with 1',
  async (how) => {
    const { code, stdout, stderr } = await run(how)
    expect(code).toBe(1)
    expect(stdout).toBe('stop 1000 500\n')
    expect(stderr).toContain('Error: boom')
  },
)

test('it ends with 1 also when stopping hangs', async () => {
  expect(await run('hang')).toMatchObject({ code: 1, stdout: 'stop 1000 500\n' })
})

test('a signal gives requests ten seconds, idle connections the time their callers know, and ends with 0', async () => {
  expect(await run('signal')).toMatchObject({ code: 0, stdout: 'stop 10000 6000\n' })
})

test('a second signal gives them none', async () => {
  expect(await run('twice')).toMatchObject({ code: 0, stdout: 'stop 10000 500\nstop 0 0\n' })
})

test('Ctrl+C that npm passes on as well is one signal, and running requests have their time', async () => {
  const { code, stdout } = await run('npm')
  expect(code).toBe(0)
  expect(stdout).toBe('stop 10000 500\n')
})

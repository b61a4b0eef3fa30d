import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { stopServer } from '../../runtime/node/embedded/postgres-cluster.ts'
import { buildOnce } from '../support/build-once.ts'
import { waitForOutput } from '../support/svc.ts'

let folder: string
let npm: ChildProcess | undefined

beforeAll(async () => {
  await buildOnce()
  folder = await mkdtemp(join(tmpdir(), 'modulus-npm-'))
})
afterAll(async () => {
  npm?.kill('SIGKILL')
  await stopServer(join(folder, 'postgres'))
  await rm(folder, { recursive: true, force: true })
})

const answers = (url: string) =>
  fetch(`${url}/api/health`).then(
    () => true,
    () => false,
  )

const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  )

test.each(['SIGTERM', 'SIGKILL'] as const)('%s to `npm start` stops the service and its database', async (signal) => {
  const { PATH, HOME } = process.env
  const env = { PATH, HOME, SVC_DATA_DIR: folder, SVC_HTTP_PORT: '0', SVC_DRAIN_SECONDS: '0' }
  npm = spawn('npm', ['start'], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const [, url] = await waitForOutput(npm, /ready at (\S+)/)
  const postmaster = join(folder, 'postgres/data/postmaster.pid')
  expect([await answers(url!), await exists(postmaster)]).toEqual([true, true])
  npm.kill(signal)
  await expect.poll(() => answers(url!)).toBe(false)
  await expect.poll(() => exists(postmaster)).toBe(false)
})

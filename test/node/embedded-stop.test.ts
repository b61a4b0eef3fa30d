import { mkdtemp, readdir, readFile, readlink, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { isAlive, stopServer } from '../../runtime/node/postgres-cluster.ts'
import { buildOnce } from '../support/build-once.ts'
import { type Service, startService } from '../support/service.ts'

let folder: string
const services: Service[] = []
const frozen: number[] = []

beforeAll(async () => {
  await buildOnce()
  folder = await mkdtemp(join(tmpdir(), 'modulus-frozen-'))
})
afterEach(async () => {
  for (const { child } of services.splice(0)) child.kill('SIGKILL')
  for (const pid of frozen.splice(0)) if (isAlive(pid)) process.kill(pid, 'SIGKILL')
})
afterAll(async () => {
  await stopServer(join(folder, 'postgres'))
  await rm(folder, { recursive: true, force: true })
})

async function start(): Promise<Service> {
  const service = await startService('', { SVC_DATA_DIR: folder })
  services.push(service)
  return service
}

const postmaster = async () =>
  Number((await readFile(join(folder, 'postgres/data/postmaster.pid'), 'utf8')).split('\n')[0])

/** Every process of the embedded server. */
async function serverProcesses(): Promise<number[]> {
  const data = await realpath(join(folder, 'postgres/data'))
  const pids = (await readdir('/proc')).map(Number).filter((pid) => pid > 0)
  const folders = await Promise.all(pids.map((pid) => readlink(`/proc/${pid}/cwd`).catch(() => '')))
  return pids.filter((_, index) => folders[index] === data)
}

async function sessions(): Promise<number[]> {
  const pids = await serverProcesses()
  const titles = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'latin1').catch(() => '')))
  return pids.filter((_, index) => titles[index]!.startsWith('postgres: modulus modulus'))
}

const FROZEN: Readonly<Record<string, () => Promise<number[]>>> = {
  'the sessions': sessions,
  'all processes': serverProcesses,
}

describe.runIf(process.platform === 'linux')('SIGTERM to three processes with one embedded server', () => {
  test.each(Object.keys(FROZEN))('ends them while %s of it are frozen; the next start works', async (what) => {
    for (let count = 0; count < 3; count++) await start()
    frozen.push(...(await FROZEN[what]!()))
    for (const pid of frozen) process.kill(pid, 'SIGSTOP')
    const ends = await Promise.all(services.map((service) => service.end('SIGTERM')))
    expect(ends).toMatchObject(Array(3).fill({ code: 0 }))
    // Those that did not end by themselves are killed by the server, which then ends.
    await expect.poll(serverProcesses).toEqual([])
    const next = await start()
    expect((await fetch(`${next.url}/api/ready`)).status).toBe(200)
    expect(await next.end('SIGTERM')).toMatchObject({ code: 0 })
  })

  test('ends one that is about to start a server which does not start', async () => {
    const service = await start()
    frozen.push(...(await sessions()))
    for (const pid of frozen) process.kill(pid, 'SIGSTOP')
    // The frozen sessions keep its memory, so that no other server can be started.
    process.kill(await postmaster(), 'SIGKILL')
    await expect.poll(service.log).toContain('The embedded PostgreSQL has died and is started again.')
    expect(await service.end('SIGTERM')).toMatchObject({ code: 0 })
    expect(service.log()).not.toContain('could not be started')
  })
})

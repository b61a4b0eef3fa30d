import { mkdtemp, readdir, readFile, readlink, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, type TestContext, test } from 'vitest'
import { isAlive, stopServer } from '../../runtime/node/embedded/postgres-cluster.ts'
import { buildOnce } from '../support/build-once.ts'
import { type Service, startService } from '../support/service.ts'

beforeAll(async () => {
  await buildOnce()
})

/** A folder of data for services with one embedded server, ended with the test that opened it. */
async function openInstallation({ onTestFinished }: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), 'modulus-frozen-'))
  const services: Service[] = []
  const frozen: number[] = []
  onTestFinished(async () => {
    for (const { child } of services) child.kill('SIGKILL')
    for (const pid of frozen) if (isAlive(pid)) process.kill(pid, 'SIGKILL')
    await stopServer(join(folder, 'postgres'))
    await rm(folder, { recursive: true, force: true })
  })

  /** Every process of the embedded server. */
  async function serverProcesses(): Promise<number[]> {
    const data = await realpath(join(folder, 'postgres/data'))
    const pids = (await readdir('/proc')).map(Number).filter((pid) => pid > 0)
    const folders = await Promise.all(pids.map((pid) => readlink(`/proc/${pid}/cwd`).catch(() => '')))
    return pids.filter((_, index) => folders[index] === data)
  }

  return {
    services,
    serverProcesses,
    async start(): Promise<Service> {
      const service = await startService('', { SVC_DATA_DIR: folder })
      services.push(service)
      return service
    },
    postmaster: async () =>
      Number((await readFile(join(folder, 'postgres/data/postmaster.pid'), 'utf8')).split('\n')[0]),
    async sessions(): Promise<number[]> {
      const pids = await serverProcesses()
      const titles = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'latin1').catch(() => '')))
      return pids.filter((_, index) => titles[index]!.startsWith('postgres: modulus modulus'))
    },
    freeze(pids: readonly number[]): void {
      frozen.push(...pids)
      for (const pid of pids) process.kill(pid, 'SIGSTOP')
    },
  }
}

type Installation = Awaited<ReturnType<typeof openInstallation>>

const FROZEN: Readonly<Record<string, (of: Installation) => Promise<number[]>>> = {
  'the sessions': ({ sessions }) => sessions(),
  'all processes': ({ serverProcesses }) => serverProcesses(),
}

// On Linux, where /proc tells the processes of a server. At the same time, because each of them mostly waits until a server that does not
// answer is given up.
describe.runIf(process.platform === 'linux')(
  'SIGTERM to processes with an embedded server',
  { concurrent: true },
  () => {
    test.for(Object.keys(FROZEN))(
      'ends three while %s of it are frozen; the next start works',
      async (what, context) => {
        const { expect } = context
        const installation = await openInstallation(context)
        const { services, serverProcesses, start } = installation
        for (let count = 0; count < 3; count++) await start()
        installation.freeze(await FROZEN[what]!(installation))
        const ends = await Promise.all(services.map((service) => service.end('SIGTERM')))
        expect(ends).toMatchObject(Array(3).fill({ code: 0 }))
        // Those that did not end by themselves are killed by the server, which then ends.
        await expect.poll(serverProcesses).toEqual([])
        const next = await start()
        expect((await fetch(`${next.url}/api/ready`)).status).toBe(200)
        expect(await next.end('SIGTERM')).toMatchObject({ code: 0 })
      },
    )

    test('ends one that is about to start a server which does not start', async (context) => {
      const { expect } = context
      const { start, sessions, freeze, postmaster } = await openInstallation(context)
      const service = await start()
      freeze(await sessions())
      // The frozen sessions keep its memory, so that no other server can be started.
      process.kill(await postmaster(), 'SIGKILL')
      await expect.poll(service.log).toContain('The embedded PostgreSQL has died and is started again.')
      expect(await service.end('SIGTERM')).toMatchObject({ code: 0 })
      expect(service.log()).not.toContain('could not be started')
    })
  },
)

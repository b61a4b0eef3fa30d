import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { runSvc, type Settings, type SpawnOptions, spawnSvc } from '../../support/svc.ts'
import { type Children, Ended, pidOf, until } from './children.ts'

/** The processes of the service, each on its own port. */
export interface Services {
  readonly ports: readonly number[]
  /** Ends one with a signal and starts it again; waits until it is ready. */
  restart(index: number, signal: 'SIGTERM' | 'SIGKILL'): Promise<void>
  /** The program that is started from now on. */
  use(program: string): void
  /** Waits until all are ready. */
  ready(): Promise<void>
  /** Runs a command beside them. */
  run(args: readonly string[]): Promise<void>
}

export async function startServices(
  folder: string,
  children: Children,
  ports: readonly number[],
  settings: Settings,
): Promise<Services> {
  const running: ChildProcess[] = []
  let options: SpawnOptions = {}
  const start = (index: number): void => {
    const child = spawnSvc(['serve'], { ...settings, SVC_HTTP_PORT: String(ports[index]) }, options)
    child.stdout!.resume()
    child.stderr!.pipe(createWriteStream(join(folder, `service-${index + 1}.log`), { flags: 'a' }))
    children.keep(() => pidOf(child))
    running[index] = child
  }
  const isReady = (index: number) =>
    until(`process ${index + 1} is ready`, async () => {
      if (running[index]!.exitCode !== null) throw new Ended(`Process ${index + 1} has ended.`)
      return (await fetch(`http://127.0.0.1:${ports[index]}/api/ready`)).ok
    })
  // The first one prepares the database for all.
  for (const index of ports.keys()) {
    start(index)
    await isReady(index)
  }
  return {
    ports,
    async restart(index, signal) {
      const exit = once(running[index]!, 'exit')
      running[index]!.kill(signal)
      const [code] = await exit
      if (signal === 'SIGTERM' && code !== 0) throw new Error(`Process ${index + 1} ended with ${code}.`)
      start(index)
      await isReady(index)
    },
    use(program) {
      options = { program }
    },
    async ready() {
      for (const index of ports.keys()) await isReady(index)
    },
    async run(args) {
      const { code, stderr } = await runSvc(args, settings)
      if (code !== 0) throw new Error(`svc ${args.join(' ')}: ${stderr}`)
    },
  }
}

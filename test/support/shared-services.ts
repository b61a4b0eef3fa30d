import { type ChildProcess, spawn } from 'node:child_process'
import { resolve } from 'node:path'
import { serviceSettings } from './service.ts'
import { environment, type Settings } from './svc.ts'

/** An order to the process of the services: to start one with these settings, or to end it. */
export interface Order {
  readonly id: number
  readonly settings?: Settings
}

export interface Answer {
  readonly id: number
  readonly url: string | null
  readonly failure?: string
}

let child: ChildProcess | undefined
let last = 0

/**
 * Starts a service over a database in the process that this worker keeps for its services: the first one there takes as long as that of
 * `startService`, each further one a quarter of the processor time. For tests of what a service does, not of how its process lives.
 */
export async function startShared(dsn: string, settings: Settings) {
  const id = ++last
  const { url } = await ask({ id, settings: serviceSettings(dsn, settings) })
  return { url: url!, end: () => ask({ id }) }
}

function ask(order: Order): Promise<Answer> {
  child ??= spawn(process.execPath, [resolve('.build/test-services.js')], {
    env: environment({}),
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const asked = child
  return new Promise((done, fail) => {
    const onExit = (code: number | null) => {
      child = undefined
      fail(new Error(`The process of the services has ended with ${code}.`))
    }
    const onAnswer = (answer: Answer) => {
      if (answer.id !== order.id) return
      asked.off('message', onAnswer)
      asked.off('exit', onExit)
      if (answer.failure === undefined) done(answer)
      else fail(new Error(answer.failure))
    }
    asked.on('message', onAnswer)
    asked.once('exit', onExit)
    asked.send(order)
  })
}

import { loadConfig } from '../../runtime/config.ts'
import { createLog } from '../../runtime/node/log/log.ts'
import { openService, type Service } from '../../runtime/node/main.ts'
import { AT_ONCE } from '../../runtime/node/server.ts'
import type { Answer, Order } from './shared-services.ts'

/** One service after the other for the tests of a worker, which says over the channel when each begins and ends; it ends with the worker. */

const running = new Map<number, Service>()

async function start(id: number, settings: Readonly<Record<string, string>>): Promise<string> {
  const { config } = loadConfig({ argv: [], env: settings, readText: () => undefined })
  const log = createLog({ level: 'error', format: 'pretty', write: console.error, clock: () => new Date() })
  const service = openService(config, log)
  running.set(id, service)
  const serving = await service.serving
  if (!serving) throw new Error('The service was stopped before it listened.')
  return serving.url
}

async function end(id: number): Promise<null> {
  const service = running.get(id)
  running.delete(id)
  await service?.stop(AT_ONCE, 0)
  return null
}

const answer = (reply: Answer) => process.send?.(reply)

process.on('message', ({ id, settings }: Order) => {
  const done = settings ? start(id, settings) : end(id)
  done.then(
    (url) => answer({ id, url }),
    (error: unknown) => answer({ id, url: null, failure: error instanceof Error ? error.message : String(error) }),
  )
})
process.on('disconnect', () => process.exit())

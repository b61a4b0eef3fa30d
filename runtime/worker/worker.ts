import { utf8ToBytes } from '@noble/hashes/utils.js'
import { noblePasswords } from '../../kernel/auth/password.ts'
import type { Addon } from '../../kernel/module/addon.ts'
import { buildCatalogue } from '../../kernel/module/graph.ts'
import type { Observation } from '../../kernel/observation.ts'
import type { Services } from '../../kernel/services.ts'
import { createHandler } from '../app.ts'
import { createRandom } from '../random.ts'
import { probeReadiness } from '../readiness.ts'
import { openRequestDatabase } from './database.ts'
import { shareState } from './state.ts'

/** Settings of the worker, as bindings. */
export interface WorkerBindings {
  readonly DB_DSN: string
  readonly SECRET_KEY: string
  readonly PUBLIC_URL?: string
}

/** What the platform hands to each request. */
export interface WorkerContext {
  waitUntil(work: Promise<unknown>): void
}

export interface Worker {
  fetch(request: Request, bindings: WorkerBindings, context: WorkerContext): Promise<Response>
}

/** The service on workerd. A socket belongs to the request that opened it, so each request has its own connections. */
export function createWorker(addons: readonly Addon[]): Worker {
  const handle = createHandler(addons.flatMap((addon) => addon.routes))
  const stateOn = shareState(buildCatalogue(addons))
  const random = createRandom()
  return {
    async fetch(request, bindings, context) {
      const { db, close } = openRequestDatabase(bindings.DB_DSN)
      const pending: Promise<void>[] = []
      const services: Services = {
        db,
        replica: db,
        clock: () => new Date(),
        random,
        sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
        passwords: noblePasswords(random),
        observe,
        secretKey: utf8ToBytes(bindings.SECRET_KEY),
        publicUrl: bindings.PUBLIC_URL ?? null,
        Response,
        state: stateOn(db),
        stopping: () => false,
        background: (work) => void pending.push(work),
        readiness: () => probeReadiness(db),
      }
      const response = await handle(services, request, request.headers.get('cf-connecting-ip'))
      context.waitUntil(Promise.all(pending).then(() => close()))
      return response
    },
  }
}

function observe(observation: Observation): void {
  if (observation.kind === 'failure') console.error(observation.requestId, observation.error)
  if (observation.kind === 'warning') console.warn(observation.text)
}

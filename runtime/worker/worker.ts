import { utf8ToBytes } from '@noble/hashes/utils.js'
import { noblePasswords } from '../../kernel/auth/password.ts'
import type { DocumentRenderer } from '../../kernel/document/content.ts'
import { readEpoch } from '../../kernel/epoch.ts'
import { notSetUp } from '../../kernel/errors.ts'
import { runDueJobs } from '../../kernel/job/cron.ts'
import type { JobHost } from '../../kernel/job/job-host.ts'
import { type CronRun, REQUEST_ID } from '../../kernel/job/outcome.ts'
import type { Addon } from '../../kernel/module/addon.ts'
import { programOf } from '../../kernel/module/declared.ts'
import { buildCatalogue } from '../../kernel/module/graph.ts'
import type { Observation } from '../../kernel/observation.ts'
import { ratePolicies } from '../../kernel/serve/rate-policy.ts'
import { openExchange, respondError } from '../../kernel/serve/serve.ts'
import type { Services } from '../../kernel/services.ts'
import { createHandler } from '../app.ts'
import { createFigures } from '../figures.ts'
import { createRandom } from '../random.ts'
import { countInTable } from '../rate-limiter.ts'
import { shareReadiness } from '../readiness.ts'
import { startTimer } from '../timer.ts'
import { bindingProblem, NO_BINDINGS, rpmOf, settingsOf, type WorkerBindings } from './bindings.ts'
import { EncodedResponse, shareClient } from './client.ts'
import { openRequestDatabase } from './database.ts'
import { sendMails, workerMail } from './mail.ts'
import { watchSecret } from './other-secret.ts'
import { shareState } from './state.ts'

/** The context that the platform passes to each request. */
export interface WorkerContext {
  waitUntil(work: Promise<unknown>): void
}

export interface Worker {
  fetch(request: Request, bindings: WorkerBindings, context: WorkerContext): Promise<Response>
  /** A cron trigger: runs the jobs and sends the mails that are due, as `POST /internal/tick` does. */
  scheduled(event: unknown, bindings: WorkerBindings): Promise<void>
}

/** The service on workerd. A socket belongs to the event that opened it, so each request and each trigger has its own connections. */
export function createWorker(addons: readonly Addon[]): Worker {
  const handle = createHandler(addons.flatMap((addon) => addon.routes))
  const open = openServices(addons)
  const clientOf = shareClient()
  return {
    async fetch(request, bindings, context) {
      const client = await clientOf(bindings.ASSETS)
      const problem = bindingProblem(bindings)
      if (problem !== null) return refuse({ ...open(NO_BINDINGS).services, ...client }, request, problem)
      const { services, close } = open(bindings)
      const response = await handle({ ...services, ...client }, request, request.headers.get('cf-connecting-ip'))
      context.waitUntil(close())
      return response
    },
    async scheduled(_event, bindings) {
      const problem = bindingProblem(bindings)
      const { services, tick, close } = open(problem === null ? bindings : NO_BINDINGS)
      try {
        if (problem !== null) throw new Error(problem)
        await tick()
      } catch (error) {
        services.observe({ kind: 'failure', requestId: REQUEST_ID, error })
        throw error
      } finally {
        await close()
      }
    },
  }
}

/** Refuses a request because of invalid bindings. The problem is only logged; callers get a neutral answer. */
const refuse = (services: Services, request: Request, problem: string): Response =>
  respondError(openExchange(services, request, null), 'unmatched', notSetUp(new Error(problem)))

interface EventServices {
  readonly services: Services
  readonly tick: () => Promise<readonly CronRun[]>
  /** Closes the connections after background work has ended. */
  close(): Promise<void>
}

/** Opens the services of each event, on top of what the isolate keeps. */
function openServices(addons: readonly Addon[]): (bindings: WorkerBindings) => EventServices {
  const catalogue = buildCatalogue(addons)
  const readiness = shareReadiness(programOf(catalogue))
  const stateOn = shareState(catalogue)
  const random = createRandom()
  const documents = lazyDocuments()
  const figures = createFigures()
  const tellOfSecret = watchSecret()
  return (bindings) => {
    const { db, close } = openRequestDatabase(bindings.DB_DSN)
    const pending: Promise<void>[] = []
    const state = stateOn(db)
    const latest = async () => state.current(await readEpoch(db))
    const tick = async () => {
      const runs = await runDueJobs(services, latest, jobHost())
      await sendMails(services)
      return runs
    }
    const clock = () => new Date()
    const services: Services = {
      db,
      clock,
      random,
      sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
      timer: startTimer,
      passwords: noblePasswords(random),
      observe(observation) {
        figures.observe(observation)
        print(observation)
      },
      secretKey: utf8ToBytes(bindings.SECRET_KEY),
      Response: EncodedResponse,
      state,
      mail: workerMail({ clock }),
      tick,
      stopping: () => false,
      documents,
      metrics: () => figures.text(db),
      background: (work) => void pending.push(work),
      readiness: () => readiness(db, clock),
      catalogue,
      ...settingsOf(bindings),
      limiter: countInTable(db, ratePolicies(rpmOf(bindings))),
    }
    return { services, tick, close: () => Promise.all([tellOfSecret(services), ...pending]).then(() => close()) }
  }
}

/** Without threads, documents are made in slices. The code for it is loaded with the first document. */
function lazyDocuments(): DocumentRenderer {
  const nextTurn = () => new Promise<void>((resolve) => setTimeout(resolve))
  let renderer: Promise<DocumentRenderer> | undefined
  return {
    async render(content, options) {
      renderer ??= import('../../kernel/document/pdf/in-process.ts').then(({ renderInProcess }) =>
        renderInProcess(async () => ({ ...(await import('../fonts.ts')).documentFonts, fallback: [] }), nextTurn),
      )
      return (await renderer).render(content, options)
    },
  }
}

/**
 * A worker has no long-lived process that could hold a lock: a job under a lease that was cut off runs again when its lease ends, within
 * a minute.
 */
const jobHost = (): JobHost => ({
  owner: 'worker',
  ownerLock: async () => null,
  timeout: (ms) => AbortSignal.timeout(ms),
  stopped: new AbortController().signal,
})

function print(observation: Observation): void {
  if (observation.kind === 'failure') console.error(observation.requestId, observation.error)
  if (observation.kind === 'warning') console.warn(observation.text)
}

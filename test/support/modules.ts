import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import type { DocumentRenderer } from '../../kernel/document/content.ts'
import type { Env } from '../../kernel/env.ts'
import type { Addon } from '../../kernel/module/addon.ts'
import { buildCatalogue, type Catalogue } from '../../kernel/module/graph.ts'
import type { Observation } from '../../kernel/observation.ts'
import type { Services } from '../../kernel/services.ts'
import type { Db } from '../../kernel/sql/database.ts'
import { SYSTEM_USER } from '../../kernel/work/system-user.ts'
import { inTransaction } from '../../kernel/work/transaction.ts'
import { nativeAesGcm } from '../../runtime/node/crypto/aes-gcm.ts'
import { nativePasswords } from '../../runtime/node/crypto/passwords.ts'
import { createRandom } from '../../runtime/random.ts'
import { holdRegistry, type RegistryHolder } from '../../runtime/registry-holder.ts'
import { startTimer } from '../../runtime/timer.ts'

/** A small part of the real cost, which would slow down tests that create many users. */
const CHEAP = { ln: 2, r: 1, p: 1 }

/** A process as far as module operations and the ORM need one. */
export interface TestModules {
  readonly services: Services
  readonly catalogue: Catalogue
  readonly holder: RegistryHolder
  readonly observed: Observation[]
  /** Runs `work` in a transaction as the service itself, over the state the database is at now. */
  asSystem<T>(work: (env: Env) => Promise<T>): Promise<T>
}

let opened: Promise<DocumentRenderer> | undefined

/** Loaded with the first document: few tests make any. */
const renderer = (): Promise<DocumentRenderer> => {
  opened ??= import('../../kernel/document/pdf/in-process.ts').then(({ renderInProcess }) =>
    renderInProcess(
      async () => ({ ...(await import('../../runtime/fonts.ts')).documentFonts, fallback: [] }),
      nextTurn,
    ),
  )
  return opened
}

export function openModules(db: Db, addons: readonly Addon[]): TestModules {
  const catalogue = buildCatalogue(addons)
  const observed: Observation[] = []
  const observe = (observation: Observation) => void observed.push(observation)
  const holder = holdRegistry(db, catalogue, observe)
  const services: Services = {
    db,
    clock: () => new Date(),
    random: createRandom(),
    sleep: (ms) => (ms === 0 ? nextTurn() : sleep(ms)),
    timer: startTimer,
    passwords: nativePasswords(CHEAP),
    observe,
    secretKey: new Uint8Array(32),
    aesGcm: nativeAesGcm,
    publicUrl: null,
    Response,
    state: holder,
    catalogue,
    stopping: () => false,
    documents: { render: async (content, options) => (await renderer()).render(content, options) },
  }
  return {
    services,
    catalogue,
    holder,
    observed,
    asSystem: async (work) => {
      const state = await holder.latest()
      const options = { services, state, user: SYSTEM_USER, requestId: 'test', now: new Date(), sudo: true }
      return inTransaction(options, 'write', work)
    },
  }
}

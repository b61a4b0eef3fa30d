import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createApiKey } from '../kernel/auth/api-key.ts'
import { type Client, createClient } from '../kernel/client/client.ts'
import type { Env } from '../kernel/env.ts'
import { runDueJobs } from '../kernel/job/cron.ts'
import { installModules } from '../kernel/module/install.ts'
import { sql } from '../kernel/sql/sql.ts'
import { findGroups } from './cli/find-groups.ts'
import { runAsSystem } from './cli/with-host.ts'
import type { Settings } from './config.ts'
import { type AppOptions, openApp } from './node/embed.ts'

export interface TestAppOptions {
  /** Folder whose subfolders are addons. */
  readonly addons: string
  /** Modules to install, with what they depend on. */
  readonly install: readonly string[]
  /** Also load their example records. */
  readonly demo?: boolean
  readonly settings?: Settings
}

/** A separate service for the tests of an addon, over an empty database. */
export interface TestApp {
  /** A new user in these groups, by external id; the client acts with the rights of that user. */
  hire(login: string, groups: readonly string[]): Promise<Client>
  /** Runs `work` in a transaction as the service itself. */
  asSystem<T>(work: (env: Env) => Promise<T>): Promise<T>
  /** Runs a scheduled job now, as cron does, by its handler: `my_addon.tidy_up`. Rejects if it fails. */
  runJob(handler: string): Promise<void>
  /** Sends a request of any kind. */
  readonly fetch: AppFetch
  close(): Promise<void>
}

type AppFetch = (path: string, init?: RequestInit) => Promise<Response>

const ORIGIN = 'http://modulus.test'

/** Starts an embedded PostgreSQL in a temporary folder, unless `TEST_DB_DSN` names an empty database. `close` removes everything it created. */
export async function openTestApp({ addons, install, demo = false, settings }: TestAppOptions): Promise<TestApp> {
  const folder = await mkdtemp(join(tmpdir(), 'modulus-test-'))
  const remove = () => rm(folder, { recursive: true, force: true })
  const options: AppOptions = {
    settings: {
      data_dir: folder,
      addons_path: addons,
      rate_limit_rpm: 0,
      log_level: 'error',
      ...(process.env['TEST_DB_DSN'] && { db_dsn: process.env['TEST_DB_DSN'] }),
      ...settings,
    },
  }
  const { app, host } = await openApp(options).catch(async (error: unknown) => {
    await remove()
    throw error
  })
  const close = async () => {
    await app.close()
    await remove()
  }
  const send: AppFetch = (path, init) => app.fetch(new Request(ORIGIN + path, init))
  const asSystem: TestApp['asSystem'] = (work) => runAsSystem(host, work)
  try {
    await installModules(host.services, host.catalogue, install, { demo })
  } catch (error) {
    await close()
    throw error
  }
  return {
    close,
    fetch: send,
    asSystem,
    async runJob(handler) {
      const { services, holder, jobs } = host
      const { rows } = await sql<{ id: number }>`
        update sys_cron set attempt_at = clock_timestamp() where handler = ${handler} returning id`.execute(services.db)
      if (rows.length === 0) throw new Error(`No scheduled job has the handler ${handler}.`)
      const runs = await runDueJobs(services, holder.latest, jobs)
      const run = runs.find(({ id }) => id === rows[0]!.id)
      if (run?.outcome !== 'done') throw new Error(run?.error ?? `${handler} did not run: is it active?`)
    },
    async hire(login, groups) {
      const { key } = await asSystem(async (env) => {
        const userId = await env.model('core.user').create({ login, name: login, group_ids: findGroups(env, groups) })
        return createApiKey(env, { userId, name: 'test', expiresAt: null, scope: null })
      })
      return createClient({ url: ORIGIN, apiKey: key, fetch: (url, init) => app.fetch(new Request(url, init)) })
    },
  }
}

import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { isSecretOf, OTHER_SECRET } from '../../kernel/auth/secret-check.ts'
import type { Env } from '../../kernel/env.ts'
import { conflict } from '../../kernel/errors.ts'
import { presentModules, readModules } from '../../kernel/module/module-row.ts'
import { OWN_REQUEST } from '../../kernel/own-request.ts'
import { hasMigrations, planMigrations } from '../../kernel/schema/migrate.ts'
import type { TransactionKind } from '../../kernel/sql/transaction.ts'
import { asSystemUser } from '../../kernel/work/system-user.ts'
import { inTransaction } from '../../kernel/work/transaction.ts'
import { kernelMigrations } from '../../migrations/index.ts'
import { embeddedHome } from '../node/embedded/embedded-postgres.ts'
import { type Host, openHost } from '../node/host.ts'
import type { Call } from './command.ts'

/** Runs `work` with a database: the configured one, the running embedded one, or that one started for the duration. */
export async function withHost<T>({ config, log }: Call, work: (host: Host) => Promise<T>): Promise<T> {
  const host = await openHost({ config, observe: log.observe, purpose: 'command' })
  try {
    return await work(host)
  } finally {
    await host.close()
  }
}

/** Like `withHost`, for a database of any version of the program. Does not create a missing database. */
export async function withAnyHost<T>(call: Call, work: (host: Host) => Promise<T>): Promise<T> {
  requirePlace(call)
  return withHost(call, async (host) => {
    const { db, secretKey } = host.services
    if (!(await hasMigrations(db)))
      throw conflict('database_state', 'The database is empty. To set it up, run: svc init')
    if (!(await isSecretOf(db, secretKey))) call.log.line('warn', OTHER_SECRET)
    return work(host)
  })
}

/** Like `withAnyHost`, for work that needs the kernel's tables and the addon base in this version. */
export const withReadyHost = <T>(call: Call, work: (host: Host) => Promise<T>): Promise<T> =>
  withAnyHost(call, async (host) => {
    const { db } = host.services
    // Throws if a newer version has migrated the database, which cannot be undone.
    const pending = await planMigrations(db, kernelMigrations)
    if (pending.length > 0 || presentModules(await readModules(db)).length === 0)
      throw conflict('database_state', 'The database is not ready for this version of the program. Run: svc migrate')
    return work(host)
  })

/** Throws if neither the settings nor the data folder have a database: outside the folder of the service a command would start a new one. */
function requirePlace({ config: { db_dsn, data_dir } }: Call): void {
  if (db_dsn !== '' || existsSync(embeddedHome(data_dir))) return
  throw conflict(
    'database_state',
    `There is no database: the settings name none (db_dsn), and ${resolve(data_dir)} has none. Start the service once, which makes one: svc serve. If it has one elsewhere, run this in its folder, or name its settings with --config.`,
  )
}

/** Throws if this command's secret is not that of the installation: the service would not accept keys made with it. */
export async function requireOwnSecret({ services: { db, secretKey } }: Host): Promise<void> {
  if (!(await isSecretOf(db, secretKey))) throw conflict('database_state', OTHER_SECRET)
}

/** Runs `work` in a transaction as the service itself. */
export async function runAsSystem<T>(
  { services, holder }: Host,
  work: (env: Env) => Promise<T>,
  mode: TransactionKind = 'write',
): Promise<T> {
  const state = await holder.latest()
  const user = await asSystemUser(services.db)
  const options = { services, state, user, requestId: OWN_REQUEST.command, now: services.clock(), sudo: true }
  return inTransaction(options, mode, work)
}

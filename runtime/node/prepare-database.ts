import { installModules, type UpgradeResult, upgradeModules } from '../../kernel/module/install.ts'
import { presentModules, readModules } from '../../kernel/module/module-row.ts'
import { migrateKernel } from '../../kernel/schema/migrate.ts'
import { kernelMigrations } from '../../migrations/index.ts'
import { connectForCommand, type Host } from './host.ts'

export interface PreparedDatabase {
  /** Kernel migrations that ran. */
  readonly migrations: readonly string[]
  readonly modules: UpgradeResult
}

/** Brings the database to the version of this program: kernel tables, the addon base, and installed modules. */
export async function prepareDatabase({ services: running, catalogue, dsn, connect }: Host): Promise<PreparedDatabase> {
  const { db, close } = connectForCommand(dsn, running.observe)
  const services = { ...running, db }
  try {
    const migrations = await migrateKernel(db, kernelMigrations)
    // The server answers, and now compares the schema for a while.
    connect()
    const isEmpty = presentModules(await readModules(db)).length === 0
    const modules = await (isEmpty
      ? installModules(services, catalogue, ['base'])
      : upgradeModules(services, catalogue))
    return { migrations, modules }
  } finally {
    await close()
  }
}

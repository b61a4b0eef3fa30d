import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import type { Db, Tx } from '../sql/database.ts'
import { runScript } from '../sql/ddl.ts'
import { sql } from '../sql/sql.ts'

export interface Migration {
  readonly name: string
  readonly sql: string
}

/** The migrations in the database do not match those of the program; nothing was changed. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError'
}

/**
 * Brings the kernel's tables up to date and returns the names it applied. Forward only and all in one transaction; a second
 * process waits for the first and then finds nothing left to do.
 */
export async function migrateKernel(db: Db, migrations: readonly Migration[]): Promise<string[]> {
  return db
    .transaction()
    .setIsolationLevel('read committed')
    .execute(async (tx) => {
      await claimMigration(tx)
      const pending = pendingMigrations(migrations, await appliedMigrations(tx))
      for (const migration of pending) {
        await runScript(tx, migration.sql)
        await tx
          .insertInto('sys_migration')
          .values({ name: migration.name, checksum: checksum(migration) })
          .execute()
      }
      return pending.map((migration) => migration.name)
    })
}

/** Names of the migrations that `migrateKernel` would apply; throws as it does. */
export async function planMigrations(db: Db, migrations: readonly Migration[]): Promise<string[]> {
  const applied = (await hasMigrations(db)) ? await appliedMigrations(db) : []
  return pendingMigrations(migrations, applied).map(({ name }) => name)
}

/** Whether every migration is applied and none is unknown; used by the readiness check. */
export async function isMigrated(db: Db, migrations: readonly Migration[]): Promise<boolean> {
  if (!(await hasMigrations(db))) return false
  const applied = await appliedMigrations(db)
  return applied.length === migrations.length && migrations.every(({ name }, i) => applied[i]?.name === name)
}

/** Whether any version of the program has ever prepared this database. */
export async function hasMigrations(db: Db): Promise<boolean> {
  const { rows } = await sql<{ known: string | null }>`select to_regclass('sys_migration')::text as known`.execute(db)
  return rows[0]?.known != null
}

/**
 * Takes the lock that ends with the transaction. Timeouts are switched off, because waiting for the other process is
 * intended.
 */
async function claimMigration(tx: Tx): Promise<void> {
  await sql`select set_config('lock_timeout', '0', true), set_config('statement_timeout', '0', true)`.execute(tx)
  const { rows } = await sql<{ encoding: string; known: string | null }>`
    select pg_advisory_xact_lock(hashtextextended('modulus.migrate', 0)),
      current_setting('server_encoding') as encoding, to_regclass('sys_migration')::text as known`.execute(tx)
  if (rows[0]?.encoding !== 'UTF8') {
    throw new MigrationError(`The database must be encoded in UTF8, not ${rows[0]?.encoding}.`)
  }
  if (rows[0].known !== null) return
  // Another process may have made it while this one waited for the lock.
  await sql`create table if not exists sys_migration (
    name text primary key, checksum text not null, applied_at timestamptz not null default clock_timestamp())`.execute(
    tx,
  )
}

function appliedMigrations(db: Db): Promise<AppliedMigration[]> {
  // Code point order, like the comparison below, whatever collation the database has.
  return db
    .selectFrom('sys_migration')
    .select(['name', 'checksum'])
    .orderBy('name', (order) => order.collate('C'))
    .execute()
}

interface AppliedMigration {
  readonly name: string
  readonly checksum: string
}

/** The migrations still to run, after checking that those that ran before are unchanged. */
function pendingMigrations(
  migrations: readonly Migration[],
  applied: readonly AppliedMigration[],
): readonly Migration[] {
  const last = migrations.at(-1)?.name ?? ''
  for (const [i, { name, checksum: known }] of applied.entries()) {
    const ours = migrations[i]
    if (name > last) {
      throw new MigrationError(
        `The database is from a newer version: it has migration ${name}, this version ends at ${last}.`,
      )
    }
    if (ours?.name !== name) {
      throw new MigrationError(`The database has migration ${name} where this version expects ${ours?.name ?? 'none'}.`)
    }
    if (checksum(ours) !== known) {
      throw new MigrationError(`Migration ${name} is not the file that was applied to the database.`)
    }
  }
  return migrations.slice(applied.length)
}

/** Line ends do not count: a checkout may change them. */
function checksum({ sql: text }: Migration): string {
  return bytesToHex(sha256(utf8ToBytes(text.replaceAll('\r\n', '\n'))))
}

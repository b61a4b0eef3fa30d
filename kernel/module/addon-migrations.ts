import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { conflict } from '../errors.ts'
import { readParam, writeParam } from '../param.ts'
import type { Db } from '../sql/database.ts'
import { runScript } from '../sql/ddl.ts'
import { sqlState } from '../sql/pg-error.ts'
import type { Addon } from './addon.ts'

/** Migrations of an addon that ran in this database, with the checksum of the file. */
type Applied = Readonly<Record<string, string>>

export const migrationsKey = (addon: string) => `migrations:${addon}`

/** Runs the migrations that have not run yet, in the order of the manifest, and returns their names. A file that ran must not change. */
export async function migrateAddon(tx: Db, addon: Addon): Promise<string[]> {
  const { applied, pending } = await readMigrations(tx, addon)
  for (const { name, text } of pending) await runScript(tx, text).catch(namingFile(addon, name))
  if (pending.length > 0) {
    const ran = Object.fromEntries(pending.map(({ name, text }) => [name, checksum(text)]))
    await writeParam(tx, migrationsKey(addon.name), { ...applied, ...ran })
  }
  return pending.map(({ name }) => name)
}

/** SQLSTATEs of mistakes in a file; not those of rights, locks and connections. */
const OF_FILE = /^(22|23|42(?!501))/

const namingFile = (addon: Addon, name: string) => (error: unknown) => {
  if (!(error instanceof Error) || !OF_FILE.test(sqlState(error) ?? '')) throw error
  throw new Error(`Migration ${name} of ${addon.name} failed: ${error.message}`, { cause: error })
}

/** Names of the migrations that would run. */
export const pendingMigrations = async (db: Db, addon: Addon): Promise<string[]> =>
  (await readMigrations(db, addon)).pending.map(({ name }) => name)

/** Throws if a file has changed since it ran. */
export async function requireUnchangedMigrations(db: Db, addons: readonly Addon[]): Promise<void> {
  for (const addon of addons) if (addon.migrations.length > 0) await readMigrations(db, addon)
}

async function readMigrations(db: Db, addon: Addon) {
  const applied = await readParam<Applied>(db, migrationsKey(addon.name), {})
  const changed = addon.migrations.filter(({ name, text }) => name in applied && applied[name] !== checksum(text))
  if (changed.length > 0) {
    const names = changed.map(({ name }) => name).join(', ')
    throw conflict('module_state', `Migrations of ${addon.name} are not the files that were applied: ${names}.`)
  }
  return { applied, pending: addon.migrations.filter(({ name }) => !(name in applied)) }
}

/** Line ends do not count: a checkout may change them. */
const checksum = (text: string) => bytesToHex(sha256(utf8ToBytes(text.replaceAll('\r\n', '\n'))))

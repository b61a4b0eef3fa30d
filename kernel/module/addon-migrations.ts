import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { conflict } from '../errors.ts'
import { readParam, writeParam } from '../param.ts'
import type { Db } from '../sql/database.ts'
import { runScript } from '../sql/ddl.ts'
import type { Addon } from './addon.ts'

/** Migrations of an addon that ran in this database, with the checksum of the file. */
type Applied = Readonly<Record<string, string>>

export const migrationsKey = (addon: string) => `migrations:${addon}`

/** Runs what has not run yet, in the order of the manifest, and returns the names. A file that ran must not change. */
export async function migrateAddon(tx: Db, addon: Addon): Promise<string[]> {
  const { applied, pending } = await readMigrations(tx, addon)
  for (const { text } of pending) await runScript(tx, text)
  if (pending.length > 0) {
    const ran = Object.fromEntries(pending.map(({ name, text }) => [name, checksum(text)]))
    await writeParam(tx, migrationsKey(addon.name), { ...applied, ...ran })
  }
  return pending.map(({ name }) => name)
}

/** Names of those that would run. */
export const pendingMigrations = async (db: Db, addon: Addon): Promise<string[]> =>
  (await readMigrations(db, addon)).pending.map(({ name }) => name)

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

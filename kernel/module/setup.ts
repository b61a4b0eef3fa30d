import { notFound } from '../errors.ts'
import { deleteParam, readParam, writeParam } from '../param.ts'
import type { Services, SetupGate } from '../services.ts'
import type { Db } from '../sql/database.ts'
import { sql } from '../sql/sql.ts'
import { isChanging } from './change.ts'
import type { Catalogue } from './graph.ts'
import { isInitialised } from './initialise.ts'
import type { InstallProgress } from './install.ts'

export interface OpenSetup {
  readonly gate: SetupGate
  readonly catalogue: Catalogue
}

/** Throws NOT_FOUND if the database is already set up. */
export async function openSetup({ db, setup, catalogue }: Services): Promise<OpenSetup> {
  if (!setup || !catalogue) throw notFound('address_unknown', 'There is nothing at this address.')
  if (await isInitialised(db)) throw notFound('address_unknown', 'The set-up is done. Go to the start to sign in.')
  return { gate: setup, catalogue }
}

/** Whether no user can sign in yet, so that only the set-up is available. */
export async function awaitsSetup({ db, setup }: Services): Promise<boolean> {
  if (!setup || (await isInitialised(db))) return false
  return (await db.selectFrom('sys_credential').select('user_id').limit(1).executeTakeFirst()) === undefined
}

export interface CurrencyChoice {
  readonly name: string
  readonly full_name: string | null
}

export async function listCurrencies(db: Db): Promise<readonly CurrencyChoice[]> {
  const { rows } = await sql<CurrencyChoice>`select name, full_name from core_currency order by name`.execute(db)
  return rows
}

const PROGRESS = 'setup_progress'

/**
 * Runs a change and stores its progress, outside the transaction of the change, so that the waiting page can read it. The progress is
 * deleted when the change ends, successfully or not.
 */
export async function withProgress<T>(
  { db }: Services,
  change: (onProgress: (progress: InstallProgress) => Promise<void>) => Promise<T>,
): Promise<T> {
  try {
    return await change((progress) => writeParam(db, PROGRESS, progress))
  } finally {
    await deleteParam(db, PROGRESS)
  }
}

/** The module that the running change loads; null if no change is running or it has not reported yet. */
export const readProgress = async (db: Db): Promise<InstallProgress | null> =>
  (await isChanging(db)) ? readParam(db, PROGRESS, null) : null

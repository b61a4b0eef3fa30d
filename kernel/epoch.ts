import type { Env } from './env.ts'
import type { Epoch } from './services.ts'
import type { Db } from './sql/database.ts'
import { sql } from './sql/sql.ts'

/**
 * `sys_epoch` is one row with a counter each for modules, access and views. Code that changes one of them increments its
 * counter in the same transaction, and every process reloads that part when it reads the new number.
 */
export async function readEpoch(db: Db): Promise<Epoch> {
  return db.selectFrom('sys_epoch').select(['modules', 'access', 'views']).executeTakeFirstOrThrow()
}

/** Whether a state loaded at epoch `have` is new enough for a request that has read `want`. */
export const coversEpoch = (have: Epoch, want: Epoch): boolean =>
  have.modules >= want.modules && have.access >= want.access && have.views >= want.views

async function raise(db: Db, counters: readonly (keyof Epoch)[]): Promise<void> {
  await db
    .updateTable('sys_epoch')
    .set((row) => Object.fromEntries(counters.map((name) => [name, row(name, '+', 1)])))
    .execute()
}

/** Every process loads groups, access lines and rules again once this transaction has committed. */
export const bumpAccessEpoch = (env: Env): Promise<void> => raise(env.tx, ['access'])

/** Every process looks at its large tables again, together with access. */
export const bumpTableEpoch = (db: Db): Promise<void> => raise(db, ['access'])

/** Every process loads views, actions and menus again once this transaction has committed. */
export const bumpViewEpoch = (env: Env): Promise<void> => raise(env.tx, ['views'])

/** Every process compiles the registry and loads access again: modules bring models and the rights to them. */
export const bumpModuleEpoch = (db: Db): Promise<void> => raise(db, ['modules', 'access'])

/** The row as FROM item and its columns, so that the authentication statement reads the epoch too. */
export const EPOCH_SOURCE = sql`sys_epoch e`
export const EPOCH_COLUMNS = sql`e.modules, e.access, e.views`

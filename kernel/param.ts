import type { Db } from './sql/database.ts'

/**
 * A setting of the installation, or `missing` if it was never written. All code that uses a key agrees on the type of its
 * value.
 */
export async function readParam<T>(db: Db, key: string, missing: T): Promise<T> {
  const row = await db.selectFrom('sys_param').select('value').where('key', '=', key).executeTakeFirst()
  return row === undefined ? missing : (row.value as T)
}

export async function writeParam(db: Db, key: string, value: unknown): Promise<void> {
  const text = JSON.stringify(value)
  await db
    .insertInto('sys_param')
    .values({ key, value: text })
    .onConflict((row) => row.column('key').doUpdateSet({ value: text }))
    .execute()
}

export async function deleteParam(db: Db, key: string): Promise<void> {
  await db.deleteFrom('sys_param').where('key', '=', key).execute()
}

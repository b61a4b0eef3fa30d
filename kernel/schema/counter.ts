import type { Db } from '../sql/database.ts'
import { ddl, identifier, literal, runDdl } from '../sql/ddl.ts'
import { sql } from '../sql/sql.ts'

/** A PostgreSQL sequence: it never waits for other transactions, but leaves gaps after a rollback. */
export interface Counter {
  readonly next: number
  readonly increment: number
}

/** Makes the counter, or sets an existing one. */
export async function setCounter(db: Db, name: string, { next, increment }: Counter): Promise<void> {
  await dropCounter(db, name)
  await runDdl(
    db,
    ddl`create sequence ${identifier(name)} as integer minvalue 0 start ${literal(next)} increment ${literal(increment)}`,
  )
}

export const dropCounter = (db: Db, name: string): Promise<void> =>
  runDdl(db, ddl`drop sequence if exists ${identifier(name)}`)

export async function drawFromCounter(db: Db, name: string, count: number): Promise<number[]> {
  const { rows } = await sql<{ number: number }>`
    select nextval(${name}::regclass)::integer as number from generate_series(1, ${count}::integer)`.execute(db)
  return rows.map((row) => row.number)
}

/** The next number of each counter, as of now; counters that do not exist are missing from the answer. */
export async function peekCounters(db: Db, names: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ name: string; next: number }>`
    select sequencename::text as name, coalesce(last_value + increment_by, start_value)::integer as next
    from pg_sequences where schemaname = current_schema() and sequencename = any(${[...names]}::text[])`.execute(db)
  return new Map(rows.map(({ name, next }) => [name, next]))
}

/** Blocks other transactions from taking numbers until this one ends; any ALTER SEQUENCE takes that lock. */
export const holdCounter = (db: Db, name: string): Promise<void> =>
  runDdl(db, ddl`alter sequence if exists ${identifier(name)} no cycle`)

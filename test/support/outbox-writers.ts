import { sql } from '../../kernel/sql/sql.ts'
import { connectDatabase } from '../../runtime/postgres/database.ts'
import { randomOf } from './seeded-random.ts'

const ACCOUNTS = 12
const WRITERS = 16

export interface OutboxWriters {
  /** Names of the committed events, `account/version`. */
  readonly committed: readonly string[]
  /** Ends the foreign transaction that was open all the time. */
  end(): Promise<void>
}

/**
 * Sixteen writers that change the same few rows, each change with an event, until so many are committed. A tenth is rolled back, some
 * transactions get their number long before they write, some have savepoints, and one that began before all of them stays open.
 */
export async function writeEvents(dsn: string, events: number): Promise<OutboxWriters> {
  const { db, close } = connectDatabase({
    ...{ dsn, maxConnections: WRITERS + 1, applicationName: 'writers', connectWaitMs: 60_000 },
  })
  await sql`create table account (id int primary key, version int not null)`.execute(db)
  await sql`insert into account select n, 0 from generate_series(1, ${ACCOUNTS}::int) n`.execute(db)
  const foreign = await db.startTransaction().execute()
  await sql`set local idle_in_transaction_session_timeout = 0`.execute(foreign)
  await sql`select pg_current_xact_id()`.execute(foreign)

  const committed: string[] = []
  const write = async (writer: number): Promise<void> => {
    const random = randomOf(writer)
    for (let done = 0; done < events / WRITERS; ) {
      const id = 1 + Math.floor(random() * ACCOUNTS)
      const tx = await db.startTransaction().execute()
      if (random() < 0.3) await sql`select pg_current_xact_id()`.execute(tx)
      if (random() < 0.2) await sql`savepoint before`.execute(tx)
      const { rows } = await sql<{ version: number }>`update account set version = version + 1 where id = ${id}
        returning version`.execute(tx)
      const name = `${id}/${rows[0]!.version}`
      await sql`insert into sys_outbox (channel, payload) values ('toast', jsonb_build_object('name', ${name}::text))`.execute(
        tx,
      )
      if (random() < 0.1) {
        await tx.rollback().execute()
        continue
      }
      await tx.commit().execute()
      committed.push(name)
      done++
    }
  }
  await Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)))
  return {
    committed,
    async end() {
      await foreign.rollback().execute()
      await close()
    },
  }
}

/** Events that came after a later one of the same account. */
export function inversionsOf(names: readonly string[]): readonly string[] {
  const last = new Map<string, number>()
  return names.filter((name) => {
    const [account = '', version] = name.split('/')
    const isLate = Number(version) <= (last.get(account) ?? 0)
    last.set(account, Number(version))
    return isLate
  })
}

import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { connectDatabase, type Database, type DatabaseOptions } from '../../runtime/postgres/database.ts'
import { createDatabase, PATIENCE_MS, type TestDatabase } from './database.ts'

/** Ports for `transact` with a clock that stands still, so that a busy machine does not end retries. */
export const stillPorts = {
  clock: () => new Date(0),
  random: (n: number) => randomBytes(n),
  sleep: (ms: number) => sleep(ms),
}

/** An empty database of the file, and further pools over it that each test has for itself. */
export function useOwnDatabase(applicationName: string) {
  let own: TestDatabase
  const opened: Database[] = []
  beforeAll(async () => {
    own = await createDatabase()
  })
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((database) => database.close()))
  })
  afterAll(() => own.drop())
  return {
    own: (): TestDatabase => own,
    /** Patient, it waits for a connection for longer than a service does; not where a test is about the wait, or the server is another. */
    open(options: Partial<DatabaseOptions> = {}, isPatient = options.dsn === undefined): Database {
      const wait = isPatient ? { connectWaitMs: PATIENCE_MS } : {}
      const database = connectDatabase({ dsn: own.dsn, maxConnections: 2, applicationName, ...wait, ...options })
      opened.push(database)
      return database
    },
  }
}

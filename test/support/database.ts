import { createHash, randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import { migrateKernel } from '../../kernel/schema/migrate.ts'
import type { Db } from '../../kernel/sql/database.ts'
import { kernelMigrations } from '../../migrations/index.ts'
import type { QueryObservation } from '../../runtime/postgres/connection.ts'
import { connectDatabase } from '../../runtime/postgres/database.ts'

export interface TestDatabase {
  readonly name: string
  readonly dsn: string
  readonly db: Db
  /**
   * SQL sent so far, for counting (set its length to 0 to start over). BEGIN, COMMIT and ROLLBACK are not in it, nor what is sent
   * beside a call once a minute to note that its credential was used.
   */
  readonly statements: string[]
  /** Closes the connections and drops the database. */
  drop(): Promise<void>
}

/** Long enough for a connection on a busy machine; only a test that hangs waits longer. */
export const PATIENCE_MS = 60_000
const NOTED_USE = /^\s*(update core_api_key set last_used_at|with seen as \(update sys_credential set seen_at)/

/** A template database: created once per test run by the first test that needs it, then cloned. */
export interface Template {
  readonly name: string
  /** What it starts from; an empty database if undefined. */
  readonly parent: Template | undefined
  build(database: TestDatabase): Promise<void>
}

export const template = (
  name: string,
  build: Template['build'],
  parent: Template | undefined = kernelTemplate,
): Template => ({ name, parent, build })

/** The kernel's own tables and nothing else. */
export const kernelTemplate: Template = {
  name: 'kernel',
  parent: undefined,
  build: async ({ db }) => {
    await migrateKernel(db, kernelMigrations)
  },
}

/** A database of its own for one test file or test, cloned from a template. */
export async function createDatabase(from: Template | undefined = kernelTemplate): Promise<TestDatabase> {
  return asAdmin(async (admin) => {
    const source = from && (await ensureTemplate(admin, from))
    return create(admin, `${inject('runId')}_${randomBytes(5).toString('hex')}`, source)
  })
}

/** A database without any table. */
export const createEmptyDatabase = (): Promise<TestDatabase> =>
  asAdmin((admin) => create(admin, `${inject('runId')}_${randomBytes(5).toString('hex')}`, undefined))

/** Name of the finished template. The lock lets one worker build while the others wait; a draft is renamed when complete. */
async function ensureTemplate(admin: pg.Client, { name, parent, build }: Template): Promise<string> {
  const finished = `${inject('runId')}_tpl_${shortName(name)}`
  const source = parent && (await ensureTemplate(admin, parent))
  await admin.query('SELECT pg_advisory_lock(hashtextextended($1, 0))', [finished])
  try {
    const { rowCount } = await admin.query('SELECT FROM pg_database WHERE datname = $1', [finished])
    if (rowCount) return finished
    const draft = await create(admin, `${finished}_draft`, source)
    await build(draft)
    await draft.close()
    await admin.query(`ALTER DATABASE ${draft.name} RENAME TO ${finished}`)
    return finished
  } finally {
    await admin.query('SELECT pg_advisory_unlock(hashtextextended($1, 0))', [finished])
  }
}

/** Runs `work` while no other worker of this run does the same; the lock goes with the connection. */
export const oneAtATime = <T>(name: string, work: () => Promise<T>): Promise<T> =>
  asAdmin(async (admin) => {
    await admin.query('SELECT pg_advisory_lock(hashtextextended($1, 0))', [`${inject('runId')} ${name}`])
    return work()
  })

/** PostgreSQL cuts names behind 63 bytes, which would make two templates one. */
const shortName = (name: string): string =>
  name.length <= 24 ? name : `${name.slice(0, 11)}_${createHash('sha256').update(name).digest('hex').slice(0, 12)}`

async function create(admin: pg.Client, name: string, source: string | undefined) {
  const owner = new URL(inject('appDsn')).username
  await admin.query(`CREATE DATABASE ${name} OWNER "${owner}" TEMPLATE ${source ?? 'template0'} STRATEGY FILE_COPY`)
  const dsn = withDatabase(inject('appDsn'), name)
  const statements: string[] = []
  const onQuery = ({ sql }: QueryObservation) => {
    if (!NOTED_USE.test(sql)) statements.push(sql)
  }
  const database = connectDatabase({
    dsn,
    maxConnections: 5,
    applicationName: 'modulus-test',
    connectWaitMs: PATIENCE_MS,
    onQuery,
  })
  return {
    name,
    dsn,
    db: database.db,
    statements,
    close: database.close,
    drop: async () => {
      await database.close()
      await asAdmin((client) => client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`))
    },
  }
}

/** Drops every database of a test run; for the global set-up, which has no `inject`. */
export async function dropDatabasesOf(adminDsn: string, runId: string): Promise<void> {
  const client = new pg.Client({ connectionString: adminDsn })
  await client.connect()
  const { rows } = await client.query<{ datname: string }>('SELECT datname FROM pg_database WHERE datname LIKE $1', [
    `${runId}\\_%`,
  ])
  for (const { datname } of rows) await client.query(`DROP DATABASE ${datname} WITH (FORCE)`)
  await client.end()
}

export function withDatabase(dsn: string, name: string): string {
  const url = new URL(dsn)
  url.pathname = `/${name}`
  return url.href
}

async function asAdmin<T>(work: (admin: pg.Client) => Promise<T>): Promise<T> {
  const admin = new pg.Client({ connectionString: inject('adminDsn') })
  await admin.connect()
  try {
    return await work(admin)
  } finally {
    await admin.end()
  }
}

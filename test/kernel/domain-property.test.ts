import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Db } from '../../kernel/sql/database.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { isSoak, repeats } from '../support/soak.ts'
import { type Case, cases, worldOf } from './domain-cases.ts'
import { askMemory, askSql, openBrowser, storeRows } from './domain-engines.ts'

const DOMAINS = repeats(600, 200_000)
const DOMAINS_PER_SCHEMA = 200
const SCHEMAS_PER_ROUND = 6
/** Long enough to shrink a failing case to a readable one. */
const SHRINK_MS = isSoak ? 600_000 : 150_000
const SEED = Number(process.env['SEED'] ?? 20_260_101)

let database: TestDatabase
let askBrowser: typeof askMemory

beforeAll(async () => {
  database = await createDatabase()
  askBrowser = await openBrowser()
})
afterAll(() => database.drop())

/** Runs in a transaction that is undone, so that every case begins in an empty database. */
async function inPassing<T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T> {
  const tx = await db.startTransaction().execute()
  try {
    return await work(tx)
  } finally {
    await tx.rollback().execute()
  }
}

async function compareEngines(drawn: Case): Promise<void> {
  const world = worldOf(drawn)
  const answers = await inPassing(database.db, async (tx) => {
    await storeRows(tx, world)
    return askSql(tx, world, drawn.questions)
  })
  drawn.questions.forEach((question, index) => {
    const { ids, others } = answers[index]!
    const all = (world.rows[question.model] ?? []).map((row) => row['id'])
    const complement = all.filter((id) => !ids.includes(id as number))
    expect({ ...question, memory: askMemory(world, question) }).toEqual({ ...question, memory: ids })
    expect({ ...question, browser: askBrowser(world, question) }).toEqual({ ...question, browser: ids })
    expect({ ...question, complement: others }).toEqual({ ...question, complement })
  })
}

test(`SQL, memory and browser agree on ${DOMAINS} random domains, and the complement of each is exact`, async () => {
  let asked = 0
  for (let round = 0; asked < DOMAINS; round++) {
    const property = fc.asyncProperty(cases(DOMAINS_PER_SCHEMA), async (drawn) => {
      asked += drawn.questions.length
      await compareEngines(drawn)
    })
    await fc.assert(property, {
      seed: SEED + round,
      numRuns: SCHEMAS_PER_ROUND,
      unbiased: true,
      interruptAfterTimeLimit: SHRINK_MS,
    })
  }
})

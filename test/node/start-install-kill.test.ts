import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../kernel/sql/sql.ts'
import { baseTemplate } from '../support/base-database.ts'
import { buildChild, type ChildProgram } from '../support/child-program.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { repeats } from '../support/soak.ts'

let child: ChildProgram
let database: TestDatabase
let counts: Record<'install' | 'uninstall', number>

beforeAll(async () => {
  child = await buildChild('install-child')
  database = await createDatabase(baseTemplate)
  counts = await countStatements()
})
afterAll(async () => {
  await database.drop()
  await child.remove()
})

async function run(
  action: 'install' | 'uninstall',
  killAfter: number,
): Promise<{ signal: string | null; statements: number }> {
  const running = spawn(process.execPath, [child.file, database.dsn, String(killAfter), action], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  running.stdout.on('data', (chunk) => {
    output += chunk
  })
  const [, signal] = await once(running, 'close')
  return { signal, statements: Number(output) }
}

const traces = async () =>
  (
    await sql<Record<string, unknown>>`
      select to_regclass('shop_item')::text as item, (select state from sys_module where name = 'shop') as state,
        (select count(*)::int from sys_xmlid where module = 'shop') as xmlids,
        (select count(*)::int from pg_attribute where attrelid = 'core_partner'::regclass and attname = 'shop_code') as columns,
        (select count(*)::int from sys_menu where module = 'shop') as menus,
        to_regclass('quarantine.shop_item') is not null as quarantined
    `.execute(database.db)
  ).rows[0]

const INSTALLED = { item: 'shop_item', state: 'installed', xmlids: 8, columns: 1, menus: 2, quarantined: false }

/** Moments spread over all statements of an operation, the first and the last included. */
const moments = (statements: number, count: number): readonly number[] =>
  Array.from({ length: count }, (_, i) => 1 + Math.round((i * (statements - 1)) / (count - 1)))

const KILLS = repeats(3, 12)

/** How many statements an install and an uninstall take, measured on a copy. */
async function countStatements(): Promise<Record<'install' | 'uninstall', number>> {
  const real = database
  database = await createDatabase(baseTemplate)
  try {
    const { statements: install } = await run('install', 0)
    const { statements: uninstall } = await run('uninstall', 0)
    return { install, uninstall }
  } finally {
    await database.drop()
    database = real
  }
}

test('an install killed after any statement has not happened, and the next one works', async () => {
  const before = await traces()
  for (const moment of moments(counts.install, KILLS)) {
    expect(await run('install', moment)).toMatchObject({ signal: 'SIGKILL' })
    expect(await traces(), `statement ${moment}`).toEqual(before)
  }
  await run('install', 0)
  expect(await traces()).toEqual(INSTALLED)
})

test('so has an uninstall, and after one that ends installing brings everything back', async () => {
  for (const moment of moments(counts.uninstall, KILLS)) {
    expect(await run('uninstall', moment)).toMatchObject({ signal: 'SIGKILL' })
    expect(await traces(), `statement ${moment}`).toEqual(INSTALLED)
  }
  await run('uninstall', 0)
  expect(await traces()).toMatchObject({ item: null, state: 'uninstalled', columns: 0, menus: 0, quarantined: true })
  await run('install', 0)
  expect(await traces()).toEqual(INSTALLED)
})

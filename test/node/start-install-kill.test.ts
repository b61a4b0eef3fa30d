import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { build } from 'esbuild'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../kernel/sql-text.ts'
import { baseTemplate } from '../support/base-database.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'

let folder: string
let database: TestDatabase

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'modulus-install-'))
  await symlink(resolve('node_modules'), join(folder, 'node_modules'))
  await build({
    entryPoints: [resolve('test/support/install-child.ts')],
    outfile: join(folder, 'child.mjs'),
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    loader: { '.xml': 'text', '.csv': 'text', '.sql': 'text' },
    alias: { '#kernel': resolve('kernel/index.ts') },
    logLevel: 'error',
  })
  database = await createDatabase(baseTemplate)
})
afterAll(async () => {
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

async function run(killAfter: number): Promise<{ signal: string | null; statements: number }> {
  const child = spawn(process.execPath, [join(folder, 'child.mjs'), database.dsn, String(killAfter)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.on('data', (chunk) => {
    output += chunk
  })
  const [, signal] = await once(child, 'close')
  return { signal, statements: Number(output) }
}

const traces = async () =>
  (
    await sql<Record<string, unknown>>`
      select to_regclass('shop_item')::text as item, (select state from sys_module where name = 'shop') as state,
        (select count(*)::int from sys_xmlid where module = 'shop') as xmlids,
        (select count(*)::int from pg_attribute where attrelid = 'core_partner'::regclass and attname = 'shop_code') as columns
    `.execute(database.db)
  ).rows[0]

test('an install killed after any statement has not happened, and the next one works', async () => {
  const before = await traces()
  for (const killAfter of [3, 12, 20, 28, 40, 55]) {
    expect(await run(killAfter)).toMatchObject({ signal: 'SIGKILL' })
    expect(await traces()).toEqual(before)
  }
  const done = await run(0)
  expect(done.statements).toBeGreaterThan(55)
  expect(await traces()).toEqual({ item: 'shop_item', state: 'installed', xmlids: 8, columns: 1 })
})

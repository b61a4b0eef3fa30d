import { sql } from 'kysely'
import { test } from 'vitest'
import { compileDomain } from '../../kernel/domain/compile.ts'
import { parseDomain } from '../../kernel/domain/parse.ts'
import { addDays } from '../../kernel/domain/zone.ts'
import { compileRegistry } from '../../kernel/model/compile-registry.ts'
import { defineModel } from '../../kernel/model/define.ts'
import { field } from '../../kernel/model/field-types.ts'
import { syncSchema } from '../../kernel/schema/sync.ts'
import { createDatabase } from '../support/database.ts'
test('x', async () => {
  const database = await createDatabase()
  const registry = compileRegistry([{ name: 'sql', behaviors: [], models: [defineModel('pr.item', { label: 'Item', fields: { at: field.datetime({index:true}), name: field.char() } })] }])
  await syncSchema(database.db, registry)
  await sql`insert into pr_item (at) select timestamptz '2000-01-01Z' + n * interval '1 hour' from generate_series(1, 100000) n`.execute(database.db)
  for (const n of [10, 100,1000]) {
  const days = Array.from({length:n},(_,i)=>addDays('2000-01-01', i*3))
  let t=performance.now()
  const node = parseDomain([['at','in',days]], registry.model('pr.item')!, {registry, now:new Date(0), tz:'America/New_York'})
  console.log(n,'parse', performance.now()-t); t=performance.now()
  const e = compileDomain(node as never, {registry, alias:'t', tz:'America/New_York', rule:()=>null})
  const q = sql`select count(*) from pr_item t where ${e}`
  console.log(q.compile(database.db).sql.length,'compile', performance.now()-t); t=performance.now()
  console.log((await q.execute(database.db)).rows, performance.now()-t)
  }
  await database.drop()
})

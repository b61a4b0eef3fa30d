import pg from 'pg'
import { beforeEach, describe, expect, test } from 'vitest'
import { compileRegistry } from '../../kernel/model/compile-registry.ts'
import { defineModel, type FieldsOf, type ModelDef } from '../../kernel/model/define.ts'
import { field } from '../../kernel/model/field-types.ts'
import { planSync, syncSchema } from '../../kernel/schema/sync.ts'
import { constraintNamer } from '../../kernel/schema/violations.ts'
import type { Db } from '../../kernel/sql/database.ts'
import { runScript } from '../../kernel/sql/ddl.ts'
import { translatePgError } from '../../kernel/sql/pg-error.ts'
import { sql } from '../../kernel/sql/sql.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { withClient } from '../support/own-postgres.ts'
import { withoutTimeLimit } from '../support/without-time-limit.ts'

const registryOf = (...models: ModelDef[]) => compileRegistry([{ name: 'shelf', models, behaviors: [] }])

const shelf = defineModel('test.shelf', {
  label: 'Shelf',
  order: 'sequence, name desc',
  searchFields: ['name'],
  fields: {
    name: field.char({ required: true }),
    code: field.char({ unique: true }),
    sequence: field.integer({ default: 10 }),
    width: field.float({ digits: [8, 2] }),
    open: field.boolean(),
    parent_id: field.many2one('test.shelf'),
    book_ids: field.one2many('test.book', 'shelf_id'),
  },
  constraints: {
    width_positive: { check: 'width > 0', fields: ['width'], message: 'A shelf is wider than nothing.' },
    name_once: { unique: ['parent_id', 'name'], message: 'A shelf of that name stands there.' },
  },
})

const book = defineModel('test.book', {
  label: 'Book',
  fields: {
    title: field.char({ required: true }),
    shelf_id: field.many2one('test.shelf', { required: true, ondelete: 'cascade' }),
    tag_ids: field.many2many('test.shelf'),
    data: field.json(),
    cover: field.image(),
    printed: field.date(),
    read_at: field.datetime(),
  },
})

declare module '#kernel' {
  interface Models {
    'test.shelf': FieldsOf<typeof shelf>
    'test.book': FieldsOf<typeof book>
  }
}

/** The shelf model with some fields replaced or added. */
const shelfWith = (fields: ModelDef['fields'], without: readonly string[] = []) =>
  defineModel('test.shelf', {
    ...shelf,
    fields: Object.fromEntries(
      Object.entries({ ...shelf.fields, ...fields }).filter(([name]) => !without.includes(name)),
    ),
  })

let database: TestDatabase
let db: Db

beforeEach(async () => {
  database = await createDatabase()
  db = database.db
  return () => database.drop()
})

const sync = (...models: ModelDef[]) => db.transaction().execute((tx) => syncSchema(tx, registryOf(...models)))
const plan = (...models: ModelDef[]) => planSync(db, registryOf(...models))
const addShelf = (name = 'A') => sql`insert into test_shelf (name, width) values (${name}, 2.5)`.execute(db)
const rowsOf = async (table: string) =>
  (await sql<Record<string, unknown>>`select * from ${sql.table(table)}`.execute(db)).rows

describe('a fresh database', () => {
  test('gets every table, constraint and index, and a second run finds nothing to do', async () => {
    const first = await sync(shelf, book)
    expect(first.problems).toEqual([])
    expect(first.steps.map((step) => `${step.kind} ${step.target ?? step.table}`)).toMatchInlineSnapshot(`
      [
        "create table test_shelf",
        "create table test_book",
        "create table test_book_tag_ids_rel",
        "add constraint test_shelf_code_key",
        "add constraint test_shelf_width_positive_check",
        "add constraint test_shelf_name_once_key",
        "add constraint test_shelf_parent_id_fkey",
        "add constraint test_book_shelf_id_fkey",
        "add constraint test_book_tag_ids_rel_source_id_fkey",
        "add constraint test_book_tag_ids_rel_target_id_fkey",
        "create index test_shelf_parent_id_idx",
        "create index test_shelf_default_order",
        "create index test_shelf_name_trgm",
        "create index test_book_shelf_id_idx",
        "create index test_book_tag_ids_rel_target_id_idx",
      ]
    `)
    expect(new Set(first.steps.map((step) => step.loss))).toEqual(new Set(['safe']))
    const second = await plan(shelf, book)
    expect(second).toEqual({ steps: [], later: [], orphans: [], problems: [] })
  })

  test('has columns of fixed width before texts, and those that are never null before all others', async () => {
    await sync(shelf, book)
    const columnsOf = async (table: string) => {
      const { rows } = await sql<{ name: string }>`
        select attname as name from pg_attribute where attrelid = ${table}::regclass and attnum > 0 order by attnum`.execute(
        db,
      )
      return rows.map(({ name }) => name).join(' ')
    }
    expect(await columnsOf('test_shelf')).toBe(
      'id create_date write_date version open create_uid write_uid sequence parent_id name code width',
    )
    expect(await columnsOf('test_book')).toBe(
      'id create_date write_date version shelf_id create_uid write_uid printed read_at title data cover',
    )
  })

  test('fills the columns the kernel keeps, also for rows no ORM wrote', async () => {
    await sync(shelf, book)
    await addShelf()
    expect(await rowsOf('test_shelf')).toMatchObject([{ id: 1, version: 1, open: false, sequence: null }])
  })

  test('a failed sync leaves nothing behind', async () => {
    const run = db.transaction().execute(async (tx) => {
      await syncSchema(tx, registryOf(shelf, book))
      throw new Error('stop')
    })
    await expect(run).rejects.toThrow('stop')
    expect((await plan(shelf, book)).steps.length).toBeGreaterThan(0)
  })
})

describe('a table with rows', () => {
  beforeEach(async () => {
    await sync(shelf, book)
    await addShelf('A')
    await addShelf('B')
  })

  test('a new required column gets the static default of its field', async () => {
    const wider = shelfWith({
      room: field.selection({ hall: 'Hall', attic: 'Attic' }, { required: true, default: 'hall' }),
    })
    await sync(wider, book)
    expect(await rowsOf('test_shelf')).toMatchObject([{ room: 'hall' }, { room: 'hall' }])
    await expect(sql`insert into test_shelf (name) values ('C')`.execute(db)).rejects.toThrow(
      /null value in column "room"/,
    )
    expect((await plan(wider, book)).steps).toEqual([])
  })

  test('a new optional column gets the static default, too, so that no record becomes archived', async () => {
    await sync(shelfWith({ active: field.boolean({ default: true }) }), book)
    expect(await rowsOf('test_shelf')).toMatchObject([{ active: true }, { active: true }])
  })

  test('a new required column without a fixed default is refused with a clear reason, and every refusal at once', async () => {
    const demanding = shelfWith({
      room: field.char({ required: true }),
      owner: field.char({ required: true, default: () => 'me' }),
    })
    await expect(sync(demanding, book)).rejects.toMatchObject({
      code: 'CONFLICT',
      details: {
        problems: [
          'test_shelf.room is required, but its table has rows and the field has no fixed default.',
          'test_shelf.owner is required, but its table has rows and the field has no fixed default.',
        ],
      },
    })
  })

  test('a column that becomes required fills its gaps with the static default, else says how many there are', async () => {
    const asked = await plan(shelfWith({ sequence: field.integer({ required: true, default: 10 }) }), book)
    expect(asked.steps).toMatchObject([{ kind: 'set not null', loss: 'rewrite', rows: 2, lock: 'ACCESS EXCLUSIVE' }])
    await sync(shelfWith({ sequence: field.integer({ required: true, default: 10 }) }), book)
    expect(await rowsOf('test_shelf')).toMatchObject([{ sequence: 10 }, { sequence: 10 }])
    const refused = await plan(shelfWith({ code: field.char({ required: true }) }), book)
    expect(refused.problems).toEqual([
      'test_shelf.code is required, but 2 rows have no value and it has no fixed default.',
    ])
  })

  test('a type that holds every old value is a rewrite', async () => {
    const wide = shelfWith({ width: field.float({ digits: [12, 4] }), code: field.json() })
    const asked = await plan(wide, book)
    expect(asked.steps.filter((step) => step.kind === 'change type')).toMatchObject([
      { kind: 'change type', target: 'code', loss: 'rewrite', rows: 0 },
      { kind: 'change type', target: 'width', loss: 'rewrite', rows: 2 },
    ])
    await sync(wide, book)
    expect(await rowsOf('test_shelf')).toMatchObject([{ width: 2.5 }, { width: 2.5 }])
    expect((await plan(wide, book)).steps).toEqual([])
  })

  test('a type that rounds drops data, and only runs when that is allowed', async () => {
    const narrow = shelfWith({ width: field.integer() })
    expect((await plan(narrow, book)).steps).toMatchObject([{ kind: 'change type', loss: 'drops-data', rows: 2 }])
    await expect(sync(narrow, book)).rejects.toThrow('would lose data in up to 2 rows')
    await db.transaction().execute((tx) => syncSchema(tx, registryOf(narrow, book), { allowLoss: true }))
    expect(await rowsOf('test_shelf')).toMatchObject([{ width: 3 }, { width: 3 }])
  })

  test('a change of type that cannot be converted requires a migration', async () => {
    const odd = await plan(shelfWith({ name: field.date({ required: true }) }), book)
    expect(odd.problems).toEqual(['test_shelf.name cannot turn from text into date: write a migration for it.'])
  })

  test('a constraint the rows break names table and count', async () => {
    await addShelf('B')
    const unique = await plan(shelfWith({ name: field.char({ required: true, unique: true }) }), book)
    expect(unique.problems).toEqual(['test_shelf: 2 rows break test_shelf_name_key (UNIQUE ("name")).'])
    await sql`update test_shelf set sequence = 99`.execute(db)
    const linked = await plan(shelfWith({ sequence: field.many2one('test.book') }), book)
    expect(linked.problems).toHaveLength(1)
    expect(linked.problems[0]).toMatch(/^test_shelf: 3 rows break test_shelf_sequence_fkey/)
    const checked = defineModel('test.shelf', {
      ...shelf,
      constraints: { wide: { check: 'width > 100', message: 'Too narrow.' } },
    })
    await expect(sync(checked, book)).rejects.toThrow('rows of test_shelf break test_shelf_wide_check')
  })
})

describe('what is no longer declared', () => {
  beforeEach(async () => {
    await sync(shelf, book)
    await addShelf()
  })

  test('keeps its data as an orphan and no longer prevents new rows', async () => {
    const without = shelfWith({}, ['width', 'code', 'book_ids'])
    const shrunk = defineModel('test.shelf', {
      ...without,
      constraints: {},
      fields: { ...without.fields, name: field.char() },
    })
    await sync(shrunk, defineModel('test.book', { ...book, fields: { shelf_id: field.many2one('test.shelf') } }))
    const after = await plan(shrunk)
    expect(after.orphans).toEqual([
      { table: 'test_shelf', column: 'code' },
      { table: 'test_shelf', column: 'width' },
      { table: 'test_book', column: null },
      { table: 'test_book_tag_ids_rel', column: null },
    ])
    await sql`insert into test_book (shelf_id) values (1)`.execute(db)
    await sql`insert into test_shelf (name, width) values (null, -1)`.execute(db)
    expect(await rowsOf('test_shelf')).toMatchObject([{ width: 2.5 }, { width: -1 }])
  })

  test('objects that a migration made are left alone', async () => {
    await runScript(
      db,
      'alter table test_shelf add constraint hand_made check (sequence <> 7); create index mine on test_shelf (open)',
    )
    expect((await plan(shelf, book)).steps).toEqual([])
  })
})

test('a changed constraint or index is replaced', async () => {
  await sync(shelf, book)
  const changed = defineModel('test.shelf', {
    ...shelf,
    order: 'name',
    constraints: { width_positive: { check: 'width > 1', fields: ['width'], message: 'Too narrow.' } },
  })
  await sync(changed, book)
  expect((await plan(changed, book)).steps).toEqual([])
  await expect(sql`insert into test_shelf (name, width) values ('x', 0.5)`.execute(db)).rejects.toThrow()
})

test('an index left invalid by a killed build is built again', async () => {
  await sync(shelf, book)
  const builder = new pg.Client({ connectionString: database.dsn })
  builder.on('error', () => {})
  await builder.connect()
  const { rows } = await builder.query<{ text: string; pid: number }>(
    `select pg_get_indexdef('test_shelf_name_trgm'::regclass) as text, pg_backend_pid() as pid`,
  )
  await builder.query('DROP INDEX test_shelf_name_trgm')
  await withClient(database.dsn, async (writer) => {
    // The build waits for whoever has written before it.
    await writer.query("BEGIN; INSERT INTO test_shelf (name) VALUES ('A')")
    const build = builder.query(rows[0]!.text.replace('INDEX', 'INDEX CONCURRENTLY')).catch(String)
    const invalid = () => sql`select from pg_index where not indisvalid`.execute(db)
    await expect.poll(async () => (await invalid()).rows.length).toBe(1)
    await writer.query(`select pg_terminate_backend(${rows[0]!.pid})`)
    expect(await build).toContain('terminating connection')
    await writer.query('ROLLBACK')
  })
  const again = await sync(shelf, book)
  expect(again.steps.map((step) => `${step.kind} ${step.target} ${step.lock}`)).toEqual([
    'drop index test_shelf_name_trgm ACCESS EXCLUSIVE',
    'create index test_shelf_name_trgm SHARE',
  ])
  expect((await plan(shelf, book)).steps).toEqual([])
})

test('a contains-search on a search field uses the trigram index', async () => {
  await sync(shelf, book)
  await withoutTimeLimit(db, sql`insert into test_shelf (name) select 'shelf ' || i from generate_series(1, 20000) i`)
  await runScript(db, 'analyze test_shelf')
  const { rows } = await sql<{ 'QUERY PLAN': string }>`
    explain select id from test_shelf where svc_fold(name) like '%' || svc_fold('4711') || '%'`.execute(db)
  expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('test_shelf_name_trgm')
})

describe('a broken constraint is named by field', () => {
  beforeEach(() => sync(shelf, book).then(() => addShelf()))

  const failure = async (statement: string) => {
    const error = await runScript(db, statement).catch((thrown: unknown) => thrown)
    const registry = registryOf(shelf, book)
    return translatePgError(error, constraintNamer(registry, registry.translatorIn('en')))
  }

  test.each([
    [
      'insert into test_shelf (name, code) values (1, 1), (2, 1)',
      'CONFLICT',
      { code: 'Another record already has this Code.' },
    ],
    ['insert into test_shelf (name, width) values (1, -1)', 'VALIDATION', { width: 'A shelf is wider than nothing.' }],
    ['insert into test_shelf (width) values (1)', 'VALIDATION', { name: 'Name is required.' }],
    [
      "insert into test_shelf (name, parent_id) values ('x', 1), ('x', 1)",
      'CONFLICT',
      { name: 'A shelf of that name stands there.' },
    ],
    [
      "insert into test_book (title, shelf_id) values ('x', 99)",
      'CONFLICT',
      { shelf_id: 'Book: Shelf must refer to an existing record.' },
    ],
  ])('%s', async (statement, code, fields) => {
    expect(await failure(statement)).toMatchObject({ code, details: { fields } })
  })
})

test('names longer than PostgreSQL keeps stay apart', async () => {
  const long = (n: number) => `a_field_whose_name_is_as_long_as_a_field_name_may_be_${n}_end`
  const model = defineModel('test.a_model_with_a_long_name', {
    label: 'Long',
    fields: { [long(1)]: field.char({ unique: true }), [long(2)]: field.char({ unique: true }) },
  })
  await sync(model)
  expect((await plan(model)).steps).toEqual([])
})

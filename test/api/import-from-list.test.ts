import { beforeAll, expect, test } from 'vitest'
import type { Agent } from '../support/agent.ts'
import { describeHost } from '../support/hosts.ts'
import { confirm, readBatch, stage } from '../support/upload.ts'

type Row = Readonly<Record<string, unknown>>

describeHost('an import that was begun from a list', 'process', (host) => {
  let admin: Agent
  let companies: string
  beforeAll(async () => {
    admin = await host.signIn('admin')
    const id = await admin.must<number>('sys.action', 'create', [
      {
        name: 'Companies',
        record_name: 'Company',
        record_names: 'Companies',
        model: 'core.partner',
        view_modes: 'list,form',
        context: { default_is_company: true, default_user_id: 'user.id', default_lang: 'de' },
      },
    ])
    companies = String(id)
  })

  const partners = (like: string) =>
    admin.must<Row[]>('core.partner', 'search_read', [[['name', '=like', like]], ['name', 'is_company', 'lang']])

  test('gives new records what New in that list would, and says so', async () => {
    const batch = await stage(admin, 'name,city\nFrom list 1,Ulm\nFrom list 2,Bonn\n', { action: companies })
    expect(batch['defaults']).toMatchObject([
      { field: 'lang', label: 'Language', text: 'de', value: 'de' },
      { field: 'user_id', label: 'Salesperson', text: 'admin' },
      { field: 'is_company', label: 'Is a Company', text: 'Yes', value: true },
    ])
    expect((await confirm(admin, batch.id)).ok).toBe(true)
    expect(await partners('From list %')).toMatchObject([
      { is_company: true, lang: 'de' },
      { is_company: true, lang: 'de' },
    ])
  })

  test('shows links by the names of their records, and values without words as they are', async () => {
    const make = (name: string) => admin.must<number>('core.tag', 'create', [{ name }])
    const tags = [await make('Import one'), await make('Import two')]
    const told = async (value: unknown) => {
      const id = await admin.must<number>('sys.action', 'create', [
        { name: 'Tagged', model: 'core.partner', view_modes: 'list', context: { default_tag_ids: value } },
      ])
      const batch = await stage(admin, 'name\nTagged\n', { action: String(id) })
      return (batch['defaults'] as Row[]).map(({ text }) => text)
    }
    expect(await told([[6, 0, tags]])).toEqual(['Import one, Import two'])
    expect(await told(tags.map((id) => [4, id]))).toEqual(['Import one, Import two'])
    expect(await told(tags)).toEqual(['Import one, Import two'])
    expect(await told([[6, 0, []]])).toEqual(['None'])
    expect(await told([[0, 0, { name: 'Made here' }]])).toEqual(['1 new'])
    expect(
      await told([
        [4, tags[0]],
        [0, 0, { name: 'a' }],
        [0, 0, { name: 'b' }],
      ]),
    ).toEqual(['Import one, 2 new'])
    expect(await told({ name: 'odd' })).toEqual(['{"name":"odd"}'])
  })

  test('leaves alone what the file has a column for, what exists already, and everything if that is not wanted', async () => {
    await admin.must('core.partner', 'create', [{ name: 'Kept person', lang: 'fr' }])
    const upsert = { action: companies, import_mode: 'upsert' }
    const own = await stage(admin, 'name,lang,city\nKept person,fr,Ulm\nKept new,,Bonn\n', upsert)
    expect((await confirm(admin, own.id)).ok).toBe(true)
    expect(await partners('Kept %')).toMatchObject([
      { name: 'Kept new', is_company: true, lang: null },
      { name: 'Kept person', is_company: false, lang: 'fr' },
    ])

    const plain = await stage(admin, 'name\nPlain person\n', { action: companies })
    await admin.must('sys.bulk.import', 'write', [[plain.id], { with_defaults: false }])
    expect((await confirm(admin, plain.id)).ok).toBe(true)
    expect(await partners('Plain %')).toMatchObject([{ is_company: false, lang: null }])
    expect((await stage(admin, 'name\nNo list\n'))['defaults']).toEqual([])
  })

  test('takes a column that is called like its records for their name, unless another column is that', async () => {
    const mapped = async (file: string, fields = {}) => {
      const { column_mapping, columns } = await stage(admin, file, { action: companies, ...fields })
      return { column_mapping, similar: columns.map(({ similar }) => similar) }
    }
    for (const header of ['Company', 'COMPANIES'])
      expect(await mapped(`${header},city\nKestrel,Ulm\n`)).toMatchObject({ column_mapping: { [header]: 'name' } })
    for (const headers of ['Company,Name', 'Name,Company'])
      expect(await mapped(`${headers}\nA,B\n`)).toMatchObject({
        column_mapping: { Name: 'name', Company: 'company_id' },
      })
  })

  test('offers the name for a column that names no linked record while no other column is the name', async () => {
    const { column_mapping, columns } = await stage(admin, 'Company,Land\nKestrel,Germany\n')
    expect(column_mapping).toEqual({ Land: 'country_id' })
    expect(columns).toMatchObject([{ similar: 'name' }, {}])
    const own = await stage(admin, 'Company\nKestrel\nModulus\n')
    const [company] = await admin.must<Row[]>('core.company', 'search_read', [[], ['name']])
    const found = await stage(admin, `Company\nKestrel\n${company!['name']}\n`)
    expect([own.column_mapping, found.column_mapping]).toEqual([{}, { Company: 'company_id' }])
  })

  test('checks these values like any others that are written', async () => {
    const id = await admin.must<number>('sys.action', 'create', [
      { name: 'Broken', model: 'core.partner', view_modes: 'list', context: { default_country_id: 999999 } },
    ])
    const batch = await stage(admin, 'name\nBroken default\n', { action: String(id) })
    expect((await confirm(admin, batch.id)).error).toMatchObject({ code: 'VALIDATION' })
    expect(await partners('Broken %')).toEqual([])
    expect((await readBatch(admin, batch.id)).state).not.toBe('done')
  })

  test('is offered for undoing to users who may undo part of it', async () => {
    const guest = await host.signIn('guest')
    const undoOf = async (agent: Agent, file: string, fields = {}) => {
      const { id, ...staged } = await stage(agent, file, fields)
      expect(staged['may_undo']).toBe(false)
      expect((await confirm(agent, id)).ok).toBe(true)
      return (await readBatch(agent, id))['may_undo']
    }
    expect(await undoOf(guest, 'name,ref\nUndo new,undo-a\n')).toBe(false)
    expect(await undoOf(admin, 'name,ref\nUndo new,undo-b\n')).toBe(true)
    const changed = 'ref,city\nundo-a,Ulm\n'
    const batch = await stage(guest, changed, { import_mode: 'upsert' })
    expect((await confirm(guest, batch.id, { ref: { field: 'ref', key: true }, city: 'city' })).ok).toBe(true)
    expect((await readBatch(guest, batch.id))['may_undo']).toBe(true)
    await guest.must('sys.bulk.import', 'call', [batch.id, 'action_undo_import'])
    expect((await readBatch(guest, batch.id))['may_undo']).toBe(false)
  })
})

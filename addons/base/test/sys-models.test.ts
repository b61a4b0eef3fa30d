import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../../kernel/sql/sql.ts'
import type { ModelApi } from '../../../kernel/work/model-api.ts'
import { openPeople, type People } from '../../../test/support/people.ts'

let people: People

beforeAll(async () => {
  people = await openPeople()
})
afterAll(() => people.leave())

const epochs = () => people.database.db.selectFrom('sys_epoch').select(['access', 'modules']).executeTakeFirstOrThrow()
const refused = (field: string) => ({ code: 'VALIDATION', details: { fields: { [field]: expect.any(String) } } })

describe('a record rule', () => {
  const rule = { name: 'Test', model: 'core.partner' }

  test('is taken with a domain over fields and variables, and makes every process load access anew', async () => {
    const before = await epochs()
    const domain = "['|', ('user_id', '=', user.id), ('company_id', 'in', company_ids)]"
    const id = await people.as('admin', (env) => env.model('sys.rule').create({ ...rule, domain }))
    const created = await epochs()
    expect(created.access).toBeGreaterThan(before.access)
    await people.as('admin', (env) => env.model('sys.rule').unlink([id]))
    expect((await epochs()).access).toBeGreaterThan(created.access)
  })

  test.each([
    ['text that is no domain', 'everything'],
    ['an unknown field', "[('salary', '>', 3)]"],
    ['an unknown variable', "[('user_id', '=', user.password)]"],
    ['an unknown operator', "[('name', '~', 'x')]"],
    ['an operand too few', "['|', ('name', '=', 'x')]"],
  ])('is refused with %s', async (_what, domain) => {
    const create = people.as('admin', (env) => env.model('sys.rule').create({ ...rule, domain }))
    await expect(create).rejects.toMatchObject(refused('domain'))
  })

  test('is refused for an unknown model', async () => {
    const values = { name: 'Test', model: 'core.nothing', domain: '[]' }
    await expect(people.as('admin', (env) => env.model('sys.rule').create(values))).rejects.toMatchObject(
      refused('model'),
    )
  })

  test('cannot be read by users', async () => {
    const write = people.as('ann', (env) => env.model('sys.rule').create({ ...rule, domain: '[]' }))
    await expect(write).rejects.toMatchObject({ code: 'ACCESS_DENIED' })
  })
})

describe('an access line', () => {
  test('makes every process load access anew when it comes, changes or goes', async () => {
    let last = (await epochs()).access
    const expectRaised = async () => {
      const { access } = await epochs()
      expect(access).toBeGreaterThan(last)
      last = access
    }
    const id = await people.as('admin', (env) => env.model('sys.access').create({ name: 'Test', model: 'core.tag' }))
    await expectRaised()
    await people.as('admin', (env) => env.model('sys.access').write([id], { perm_read: true }))
    await expectRaised()
    await people.as('admin', (env) => env.model('sys.access').unlink([id]))
    await expectRaised()
  })
})

describe('a scheduled job', () => {
  const cron = { name: 'Test', interval_number: 1, interval_type: 'days' as const }

  test('runs a handler an addon brings', async () => {
    const id = await people.as('admin', (env) =>
      env.model('sys.cron').create({ ...cron, handler: 'base.prune_outbox' }),
    )
    expect(id).toBeGreaterThan(0)
  })

  test.each([
    ['a handler nobody brings', 'handler', { handler: 'base.erase_everything' }],
    ['an unknown model', 'model', { model: 'core.nothing', action: 'action_confirm' }],
    ['an action the model does not have', 'action', { model: 'core.partner', action: 'constructor' }],
    ['an unknown time zone', 'timezone', { handler: 'base.prune_outbox', timezone: 'Moon/Crater' }],
  ])('is refused with %s', async (_what, field, values) => {
    const create = people.as('admin', (env) => env.model('sys.cron').create({ ...cron, ...values }))
    await expect(create).rejects.toMatchObject(refused(field))
  })

  test.each([
    ['nothing to do', {}],
    ['a handler and an action', { handler: 'base.prune_outbox', model: 'sys.cron', action: 'action_run_now' }],
    ['an interval of nothing', { handler: 'base.prune_outbox', interval_number: 0 }],
  ])('is refused with %s', async (_what, values) => {
    const create = people.as('admin', (env) => env.model('sys.cron').create({ ...cron, ...values }))
    await expect(create).rejects.toMatchObject({ code: 'VALIDATION' })
  })

  test('is due at once after "run now", by the clock of the database, and its next run stays', async () => {
    const jobs = <T>(work: (model: ModelApi<'sys.cron'>) => Promise<T>) =>
      people.as('admin', (env) => work(env.model('sys.cron')))
    const [id] = await jobs((model) => model.search([['handler', '=', 'base.prune_expired']]))
    const nextcall = '2099-01-01T00:00:00.000Z'
    await jobs((model) => model.write([id!], { nextcall }))
    await jobs((model) => model.call([id!], 'action_run_now'))
    const due = async () => {
      const { rows } =
        await sql`select nextcall, attempt_at <= clock_timestamp() as is_due from sys_cron where id = ${id}`.execute(
          people.database.db,
        )
      return rows[0]
    }
    expect(await due()).toEqual({ nextcall, is_due: true })
    await jobs((model) => model.write([id!], { nextcall }))
    expect(await due(), 'whoever sets the next run means that').toEqual({ nextcall, is_due: null })
    await jobs((model) => model.write([id!], { active: false }))
    await expect(jobs((model) => model.call([id!], 'action_run_now'))).rejects.toMatchObject({ code: 'CONFLICT' })
    await jobs((model) => model.write([id!], { active: true }))
  })

  test('is run by hand by administrators only', async () => {
    const [id] = await people.as('admin', (env) => env.model('sys.cron').search([]))
    const run = people.as('ann', (env) => env.model('sys.cron').call([id!], 'action_run_now'))
    await expect(run).rejects.toMatchObject({ code: 'ACCESS_DENIED' })
  })

  test('says how it runs, as its addon declares', async () => {
    const kinds = await people.as('admin', (env) =>
      env.model('sys.cron').searchRead([['handler', '=', 'base.prune_outbox']], ['kind']),
    )
    expect(kinds[0]).toMatchObject({ kind: 'lease' })
  })
})

describe('a saved filter', () => {
  const filter = { name: 'Friends', model: 'core.partner', domain: [['name', 'ilike', 'a']] }

  test('belongs to whoever saves it', async () => {
    const id = await people.as('ann', (env) => env.model('sys.filter').create(filter))
    for (const login of ['bea', 'admin']) {
      if (login === 'bea') await people.hire(login)
      expect(await people.as(login, (env) => env.model('sys.filter').search([]))).not.toContain(id)
      const write = people.as(login, (env) => env.model('sys.filter').write([id], { name: 'Stolen' }))
      await expect(write).rejects.toMatchObject({ code: 'ACCESS_DENIED' })
    }
  })

  test('has an order that a list can have', async () => {
    const save = (sort: string) =>
      people.as('ann', (env) => env.model('sys.filter').create({ ...filter, name: sort, sort }))
    for (const sort of ['(select 1)', 'name desc', '-nothing', 'child_ids'])
      await expect(save(sort), sort).rejects.toMatchObject({
        code: 'VALIDATION',
        details: { fields: { sort: expect.any(String) } },
      })
    for (const sort of ['name', '-create_date']) expect(await save(sort)).toBeGreaterThan(0)
  })

  test('needs a domain that its owner may search, and a unique name', async () => {
    const save = (values: object) => people.as('ann', (env) => env.model('sys.filter').create({ ...filter, ...values }))
    for (const domain of [[['nope', '=', 1]], [['user_id.password', '=', 1]], [['name', 'hm', 1]], { a: 1 }, 'x'])
      await expect(save({ name: 'Odd', domain })).rejects.toMatchObject(refused('domain'))
    expect(await save({ name: 'Once', domain: null })).toBeGreaterThan(0)
    await expect(save({ name: 'Once' })).rejects.toMatchObject({ code: 'CONFLICT' })
  })

  test('is shared by administrators only, and then read by everybody', async () => {
    const create = people.as('ann', (env) => env.model('sys.filter').create({ ...filter, name: 'All', user_id: null }))
    await expect(create).rejects.toMatchObject({ code: 'ACCESS_DENIED' })
    const id = await people.as('admin', (env) =>
      env.model('sys.filter').create({ ...filter, name: 'All', user_id: null }),
    )
    expect(await people.as('ann', (env) => env.model('sys.filter').search([]))).toContain(id)
    const hidden = await people.as('admin', (env) =>
      env.model('sys.filter').create({ name: 'Rules', model: 'sys.rule', user_id: null }),
    )
    expect(await people.as('ann', (env) => env.model('sys.filter').search([]))).not.toContain(hidden)
    const write = people.as('ann', (env) => env.model('sys.filter').write([id], { name: 'Mine' }))
    await expect(write).rejects.toMatchObject({ code: 'ACCESS_DENIED' })
  })
})

describe('an export set', () => {
  const set = {
    name: 'Post',
    model: 'core.partner',
    columns: ['name', { path: 'country_id/code', heading: 'Land' }, 'country_id/id'],
  }
  const sets = (env: { model(name: 'sys.export.set'): ModelApi<'sys.export.set'> }) => env.model('sys.export.set')

  test('belongs to whoever saves it', async () => {
    const id = await people.as('ann', (env) => sets(env).create(set))
    expect(await people.as('ann', (env) => sets(env).search([]))).toContain(id)
    expect(await people.as('admin', (env) => sets(env).search([]))).not.toContain(id)
    const write = people.as('admin', (env) => sets(env).write([id], { name: 'Stolen' }))
    await expect(write).rejects.toMatchObject({ code: 'ACCESS_DENIED' })
    const again = people.as('ann', (env) => sets(env).create(set))
    await expect(again).rejects.toMatchObject({ code: 'CONFLICT' })
  })

  test('is shared by administrators only, and then read by everybody', async () => {
    const shared = { ...set, name: 'All', user_id: null }
    const share = people.as('ann', (env) => sets(env).create(shared))
    await expect(share).rejects.toMatchObject({ code: 'ACCESS_DENIED' })
    const id = await people.as('admin', (env) => sets(env).create(shared))
    const again = people.as('admin', (env) => sets(env).create(shared))
    await expect(again).rejects.toMatchObject({ code: 'CONFLICT' })
    expect(await people.as('ann', (env) => sets(env).search([]))).toContain(id)
    const hidden = await people.as('admin', (env) =>
      sets(env).create({ name: 'Rules', model: 'sys.rule', columns: ['name'], user_id: null }),
    )
    expect(await people.as('ann', (env) => sets(env).search([]))).not.toContain(hidden)
    expect(await people.as('admin', (env) => sets(env).search([]))).toContain(hidden)
    for (const change of [{ name: 'Mine' }, { columns: ['name'] }]) {
      const write = people.as('ann', (env) => sets(env).write([id], change))
      await expect(write).rejects.toMatchObject({ code: 'ACCESS_DENIED' })
    }
    const unlink = people.as('ann', (env) => sets(env).unlink([id]))
    await expect(unlink).rejects.toMatchObject({ code: 'ACCESS_DENIED' })
    expect(await people.as('admin', (env) => sets(env).unlink([id]))).toBe(true)
  })

  test.each([
    ['no list', 'name'],
    ['none', []],
    ['numbers', [1]],
    ['an empty heading', [{ path: 'name', heading: '' }]],
    ['an unknown field', ['salary']],
    ['a path over no link', ['name/code']],
    ['one twice', ['name', 'country_id/code', 'country_id.code']],
    ['too many', Array.from({ length: 400 }, (_, i) => `f${i}`)],
  ])('has columns that an export takes: not %s', async (_what, columns) => {
    const create = people.as('ann', (env) => sets(env).create({ ...set, name: 'Odd', columns: columns as never }))
    await expect(create).rejects.toMatchObject(refused('columns'))
  })

  test('may not name fields that its owner may not read', async () => {
    const create = people.as('ann', (env) => sets(env).create({ name: 'Rules', model: 'sys.rule', columns: ['name'] }))
    await expect(create).rejects.toMatchObject({ code: 'VALIDATION' })
  })
})

describe('a preference', () => {
  test('belongs to its user, and no other user reads or changes it', async () => {
    const id = await people.as('ann', (env) => env.model('sys.preference').create({ key: 'list/1', value: { a: 1 } }))
    const again = people.as('ann', (env) => env.model('sys.preference').create({ key: 'list/1' }))
    await expect(again).rejects.toMatchObject({ code: 'CONFLICT' })
    expect(await people.as('admin', (env) => env.model('sys.preference').search([]))).toEqual([])
    const write = people.as('admin', (env) => env.model('sys.preference').write([id], { value: null }))
    await expect(write).rejects.toMatchObject({ code: 'ACCESS_DENIED' })
  })
})

describe('a view, an action and a menu', () => {
  test('fit together', async () => {
    await people.as('admin', async (env) => {
      const view = { name: 'Partners', model: 'core.partner', type: 'list' as const, arch: '<list/>' }
      const parent = await env.model('sys.view').create(view)
      await env.model('sys.view').create({ ...view, mode: 'extension', inherit_id: parent })
      const action = await env.model('sys.action').create({
        name: 'Customers',
        model: 'core.partner',
        view_modes: 'kanban,list,form',
        domain: "[('is_company', '=', True)]",
        context: { default_is_company: true },
      })
      await env.model('sys.menu').create({ name: 'Customers', action_id: action })
    })
  })

  test('a view with a parent is an extension unless it says otherwise', async () => {
    const modes = await people.as('admin', async (env) => {
      const views = env.model('sys.view')
      const view = { name: 'Partners', model: 'core.partner', type: 'list' as const, arch: '<list/>' }
      const [parent] = await views.createMany([view])
      const ids = await views.createMany([
        { ...view, inherit_id: parent! },
        { ...view, inherit_id: parent!, mode: 'primary' },
        view,
      ])
      return (await views.read([parent!, ...ids], ['mode'])).map(({ mode }) => mode)
    })
    expect(modes).toEqual(['primary', 'extension', 'primary', 'primary'])
  })

  test('a view says from which view each part comes, and what was left out', async () => {
    const shown = await people.as('admin', async (env) => {
      const views = env.model('sys.view')
      const view = { name: 'Tags', model: 'core.tag', type: 'list' as const }
      const base = await views.create({ ...view, arch: '<list><field name="name" string="A &amp; B"/></list>' })
      const arch = '<field name="name" position="after"><field name="color"/></field>'
      const extension = await views.create({ ...view, name: 'Colours -- of tags', arch, inherit_id: base })
      // As after the element that an extension changes was removed.
      const broken = await views.create({ ...view, name: 'Broken', arch, inherit_id: base })
      await sql`update sys_view set arch = replace(arch, 'name="name"', 'name="gone"') where id = ${broken}`.execute(
        env.tx,
      )
      const off = await views.create({ ...view, arch: '<list/>', active: false })
      return {
        ids: [base, extension, broken],
        rows: await views.read([base, extension, broken, off], ['result', 'problems']),
      }
    })
    const [base, extension, broken] = shown.ids
    const result = [
      `<!-- changed by a user: Tags (${base}), line 1 -->`,
      '<list>',
      '  <field name="name" string="A &amp; B"/>',
      `  <!-- changed by a user: Colours - - of tags (${extension}), line 1 -->`,
      '  <field name="color"/>',
      '</list>',
    ].join('\n')
    const problems = expect.stringContaining(`view "Broken" (${broken})`)
    expect(shown.rows).toMatchObject([
      { result, problems },
      { result, problems: null },
      { result, problems },
      { result: null, problems: null },
    ])
  })

  test('are refused where they do not', async () => {
    const view = { name: 'Partners', model: 'core.partner', type: 'list' as const, arch: '<list/>' }
    const action = { name: 'Customers', model: 'core.partner' }
    const attempts = [
      () => people.as('admin', (env) => env.model('sys.view').create({ ...view, model: 'core.nothing' })),
      () =>
        people.as('admin', async (env) => {
          const inherit_id = await env.model('sys.view').create(view)
          return env.model('sys.view').create({ ...view, model: 'core.tag', mode: 'extension', inherit_id })
        }),
      () => people.as('admin', (env) => env.model('sys.action').create({ ...action, view_modes: 'list,search' })),
      () => people.as('admin', (env) => env.model('sys.action').create({ ...action, domain: "[('nothing', '=', 1)]" })),
    ]
    for (const attempt of attempts) await expect(attempt()).rejects.toMatchObject({ code: 'VALIDATION' })
  })
})

describe('an import', () => {
  test('gets a number, belongs to its user, and its return address cannot be written', async () => {
    const annId = await people.as('ann', async (env) => env.user.id)
    const id = await people.asSystem((env) =>
      env.model('sys.bulk.import').create({ model: 'core.partner', user_id: annId, next: '/web' }),
    )
    const [row] = await people.as('ann', (env) => env.model('sys.bulk.import').read([id], ['name', 'state', 'version']))
    expect(row!.name).toMatch(/^IMP\/\d{4}\/0001$/)
    // The number is part of the INSERT, so the record is not written a second time.
    expect(row!.version).toBe(1)
    expect(await people.as('admin', (env) => env.model('sys.bulk.import').search([]))).toEqual([])
    const field = (await people.modules.holder.latest()).registry.model('sys.bulk.import')!.fields.get('next')
    expect(field?.readonly).toBe(true)
  })
})

describe('a partner', () => {
  test('of another company is not seen, one without a company is', async () => {
    const euro = await people.asSystem((env) => env.model('core.currency').search([['name', '=', 'EUR']]))
    const other = await people.asSystem((env) =>
      env.model('core.company').create({ name: 'Other', currency_id: euro[0]! }),
    )
    const [theirs, everybodys] = await people.asSystem((env) =>
      env.model('core.partner').createMany([{ name: 'Theirs', company_id: other }, { name: 'Everybody' }]),
    )
    const seen = await people.as('ann', (env) => env.model('core.partner').search([]))
    expect(seen).toContain(everybodys)
    expect(seen).not.toContain(theirs)
    const create = people.as('ann', (env) => env.model('core.partner').create({ name: 'Mine', company_id: other }))
    await expect(create).rejects.toMatchObject({ code: 'ACCESS_DENIED' })
  })

  test('is created and changed by users, deleted by administrators', async () => {
    const id = await people.as('ann', (env) => env.model('core.partner').create({ name: 'New' }))
    await people.as('ann', (env) => env.model('core.partner').write([id], { phone: '+49 30 1' }))
    await expect(people.as('ann', (env) => env.model('core.partner').unlink([id]))).rejects.toMatchObject({
      code: 'ACCESS_DENIED',
    })
    await people.as('admin', (env) => env.model('core.partner').unlink([id]))
  })
})

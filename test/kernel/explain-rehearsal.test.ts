import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AccessQuestion } from '../../kernel/access/explain.ts'
import { explainAccess } from '../../kernel/admin/explain-access.ts'
import { sql } from '../../kernel/sql/sql.ts'
import { openPeople, type People } from '../support/people.ts'

/** What the behaviour of a model refuses is part of an explanation: the operation is tried and rolled back. */

let people: People
let customer: number
let order: { readonly id: number; readonly line: number; readonly name: string | null }

beforeAll(async () => {
  people = await openPeople(['sale'])
  await people.hire('tom', ['sale.group_user'])
  order = await people.as('tom', async (env) => {
    customer = await env.model('core.partner').create({ name: 'Testing Works' })
    const line = { name: 'Work', quantity: 2, price_unit: 50 }
    const id = await env.model('sale.order').create({ partner_id: customer, line_ids: [[0, 0, line]] })
    for (const action of ['action_confirm', 'action_done'])
      await env.sudo('sets the stage').model('sale.order').call([id], action)
    const [row] = await env.model('sale.order').read([id], ['line_ids', 'name'])
    return { id, line: row!.line_ids[0]!, name: row!.name! }
  })
})
afterAll(() => people.leave())

const ask = async (login: string, question: Omit<AccessQuestion, 'user'>, lang = 'en') => {
  const user = await people.as(login, async (env) => env.user)
  return people.as('admin', (env) => explainAccess(env.inLanguage(lang), { ...question, user }))
}

test('a line of a locked order can be neither deleted nor changed, and the answer says why, in the language of who asks', async () => {
  const line = { model: 'sale.order.line', id: order.line }
  const refusal = `${order.name} is locked or cancelled; its lines cannot change.`
  for (const operation of ['unlink', 'write'] as const)
    expect(await ask('tom', { ...line, operation })).toMatchObject({
      allowed: false,
      access: { allowed: true },
      rules: { allowed: true },
      rehearsal: { refusal },
    })
  expect((await ask('tom', { ...line, operation: 'unlink' }, 'de')).rehearsal?.refusal).toContain('gesperrt')
  expect(await ask('tom', { ...line, operation: 'read' })).toMatchObject({ allowed: true, rehearsal: null })
})

test('a locked order says which fields it keeps, and of each whether it lets it change', async () => {
  const question = { model: 'sale.order', id: order.id, operation: 'write' } as const
  const { allowed, rehearsal } = await ask('tom', question)
  expect(allowed).toBe(true)
  const kept = rehearsal!.except.map(({ name }) => name)
  expect(kept).toEqual(expect.arrayContaining(['partner_id', 'client_ref', 'line_ids', 'date_order']))
  expect(kept).not.toContain('user_id')
  expect(rehearsal!.except.find(({ name }) => name === 'partner_id')).toMatchObject({
    label: 'Customer',
    message: `${order.name} is locked or cancelled.`,
  })
  expect(await ask('tom', { ...question, field: 'partner_id' })).toMatchObject({
    allowed: false,
    field: { allowed: true },
  })
  expect(await ask('tom', { ...question, field: 'user_id' })).toMatchObject({ allowed: true })
})

test('a field that the program would take but the form shows read-only is named with what that depends on', async () => {
  const confirmed = await people.as('tom', async (env) => {
    const line = { name: 'Work', quantity: 2, price_unit: 50 }
    const id = await env.model('sale.order').create({ partner_id: customer, line_ids: [[0, 0, line]] })
    await env.model('sale.order').call([id], 'action_confirm')
    return id
  })
  const question = { model: 'sale.order', id: confirmed, operation: 'write' } as const
  const onForm = async (field: string, lang?: string) =>
    (await ask('tom', { ...question, field }, lang)).rehearsal?.onForm
  expect(await onForm('pricelist_id')).toEqual(['Status: Sales Order'])
  expect(await onForm('pricelist_id', 'de')).toEqual(['Status: Verkaufsauftrag'])
  // The form has the field twice: in the heading it is always read-only, below only in a locked order.
  expect(await onForm('partner_id')).toBeNull()
  expect((await ask('tom', question)).rehearsal).toEqual({ refusal: null, except: [], onForm: null })
})

test('a record whose whole form is read-only says so, and for whom', async () => {
  const [partner] = await people.as('admin', (env) =>
    env.model('core.user').searchRead([['login', '=', 'tom']], ['partner_id']),
  )
  const question = { model: 'core.partner', id: partner!.partner_id![0], operation: 'write' } as const
  expect((await ask('tom', { ...question, field: 'name' })).allowed).toBe(false)
  expect((await ask('tom', { ...question, field: 'phone' })).rehearsal).toMatchObject({ refusal: null, onForm: null })
})

test('records that still refer to one keep it from being deleted', async () => {
  expect(await ask('admin', { model: 'core.partner', id: customer, operation: 'unlink' })).toMatchObject({
    allowed: false,
    rehearsal: { refusal: 'Sales Order still refers to this Contact.' },
  })
})

test('the answer is about the person, not about the session or key of who asks', async () => {
  const admin = await people.as('admin', async (env) => env.user)
  const self = { user: admin, model: 'core.user', id: admin.id, operation: 'unlink' } as const
  const asked = await people.as('admin', (env) =>
    explainAccess(env.as({ ...env.user, credentials: 'after_password' }), self),
  )
  expect(asked).toMatchObject({ allowed: false, rehearsal: { refusal: 'You cannot delete your own account.' } })
})

test('another role is rehearsed, too', async () => {
  const whatIfGroup = await people.as('admin', async (env) => env.access.groupIdByXmlid.get('sale.group_manager')!)
  const line = { model: 'sale.order.line', id: order.line, operation: 'unlink', whatIfGroup } as const
  expect((await ask('ann', line)).whatIf).toMatchObject({ allowed: false, access: { allowed: true } })
})

test('a rehearsal is rolled back completely', async () => {
  const state = async () => {
    const { rows } = await sql`
      select (select version from sale_order where id = ${order.id}) as version,
        (select count(*) from sale_order_line) as lines, (select count(*) from sys_outbox) as events,
        (select count(*) from sys_revision) as revisions, (select max(id) from sys_audit) as told`.execute(
      people.database.db,
    )
    return rows[0]
  }
  const draft = await people.as('tom', (env) => env.model('sale.order').create({ partner_id: customer }))
  const before = await state()
  const question = { model: 'sale.order', id: draft }
  expect((await ask('tom', { ...question, operation: 'unlink' })).allowed).toBe(true)
  expect((await ask('tom', { ...question, operation: 'write' })).rehearsal).toEqual({
    refusal: null,
    except: [],
    onForm: null,
  })
  expect(await state()).toEqual(before)
})

test('an administrator of other companies gets the kind of refusal, without data of the record', async () => {
  const { id, confirmed } = await people.asSystem(async (env) => {
    const [first] = await env.model('core.company').searchRead([], ['currency_id'], { limit: 1 })
    const abroad = await env.model('core.company').create({ name: 'Abroad', currency_id: first!.currency_id[0] })
    const tom = await env.model('core.user').search([['login', '=', 'tom']])
    await env.model('core.user').write(tom, { company_ids: [[4, abroad]] })
    const made = {
      partner_id: customer,
      currency_id: first!.currency_id[0],
      company_id: abroad,
      user_id: tom[0]!,
      line_ids: [[0, 0, { name: 'Work' }]] as const,
    }
    const [id = 0, confirmed = 0] = await env.model('sale.order').createMany([made, made])
    for (const each of [id, confirmed]) await env.model('sale.order').call([each], 'action_confirm')
    await env.model('sale.order').call([id], 'action_done')
    return { id, confirmed }
  })
  const question = { model: 'sale.order', id } as const
  const unlink = await ask('tom', { ...question, operation: 'unlink' })
  expect(unlink).toMatchObject({ allowed: false, access: { allowed: true }, rules: { allowed: true } })
  expect(unlink.rehearsal!.refusal).toMatch(/^(The state of the record|A check of the model)/)
  const write = await ask('tom', { ...question, operation: 'write' })
  expect(write.rehearsal!.except.map(({ name }) => name)).toContain('partner_id')
  expect(await ask('tom', { ...question, id: confirmed, operation: 'write', field: 'pricelist_id' })).toMatchObject({
    rehearsal: { onForm: ['Status'] },
  })
  const [order] = await people.asSystem((env) => env.model('sale.order').read([id], ['name']))
  expect(JSON.stringify([unlink, write])).not.toContain(order!.name)
  expect((await ask('tom', { ...question, operation: 'unlink' }, 'de')).rehearsal!.refusal).toMatch(
    /^(Der Zustand|Eine Prüfung)/,
  )
})

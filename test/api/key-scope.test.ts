import { beforeAll, describe, expect, test } from 'vitest'
import type { Field } from '../../kernel/model/fields/field.ts'
import type { Registry } from '../../kernel/model/registry.ts'
import { sql } from '../../kernel/sql/sql.ts'
import type { Agent } from '../support/agent.ts'
import { appsTemplate } from '../support/api-database.ts'
import { describeHost } from '../support/hosts.ts'
import { pick, randomOf, sample } from '../support/seeded-random.ts'
import { repeats } from '../support/soak.ts'

type Scope = Readonly<Record<string, readonly string[]>>

const DENIED = { ok: false, error: { code: 'ACCESS_DENIED' } }
const READS = ['search', 'search_read', 'read', 'read_group', 'onchange'] as const

describeHost('the scope of a key', { kind: 'process', template: appsTemplate }, (host) => {
  let registry: Registry
  beforeAll(async () => {
    registry = (await host.modules.holder.latest()).registry
    await host.modules.asSystem(async (env) => {
      const [admin] = await env.model('core.user').search([['login', '=', 'admin']])
      const groups = ['sale.group_manager', 'crm.group_manager', 'project.group_manager'].map(
        (group) => env.access.groupIdByXmlid.get(group)!,
      )
      await env.model('core.user').write([admin!], { group_ids: groups.map((id) => [4, id] as const) })
    })
  })

  const keyFor = (models: Scope) => host.apiKey('admin', { scope: { models } })
  const first = async (agent: Agent, model: string) =>
    (await agent.must<{ id: number }[]>(model, 'search_read', [[], ['id']], { limit: 1, archived: 'include' }))[0]!.id

  /** How many rows each of some models has, and when one was last changed, by model. */
  const statesOf = async (models: readonly string[]): Promise<ReadonlyMap<string, string>> => {
    const states = models.map(
      (model) => sql`select ${model}::text as model, concat_ws(' ', count(*), max(id), max(write_date)) as state
        from ${sql.table(registry.model(model)!.table)}`,
    )
    const { rows } = await sql<{ model: string; state: string }>`${sql.join(states, sql` union all `)}`.execute(
      host.database.db,
    )
    return new Map(rows.map(({ model, state }) => [model, state]))
  }
  const stateOf = async (model: string) => (await statesOf([model])).get(model)!

  describe('holds beyond the model that the call names', () => {
    test('a key for companies makes no administrator through their users', async () => {
      const key = await keyFor({ 'core.company': ['read', 'search_read', 'write'] })
      const company = await first(key, 'core.company')
      const user = { name: 'Eve', login: 'eve', group_ids: [[6, 0, [2]]] }
      expect(await key.rpc('core.company', 'write', [[company], { user_ids: [[0, 0, user]] }])).toMatchObject(DENIED)
      expect(await key.rpc('core.company', 'write', [[company], { user_ids: [[4, 1]] }])).toMatchObject(DENIED)
    })

    test('a key for leads reads nothing of their customers', async () => {
      const key = await keyFor({ 'crm.lead': [...READS] })
      const spec = {
        groupby: ['partner_id.email'],
        fields: [{ name: 'n', field: 'partner_id.city', measure: 'count' }],
      }
      expect(await key.rpc('crm.lead', 'read_group', [spec])).toMatchObject(DENIED)
      const domain = [['partner_id.email', 'ilike', 'a']]
      expect(await key.rpc('crm.lead', 'search_read', [domain, ['name']])).toMatchObject(DENIED)
      expect(await key.rpc('crm.lead', 'search_read', [[['partner_id', 'ilike', 'a']], ['name']])).toMatchObject(DENIED)
      const leads = await key.must<{ partner_id: [number, string | null] | null; order_ids: number[] }[]>(
        'crm.lead',
        'search_read',
        [[['partner_id', '!=', null]], ['partner_id', 'order_ids']],
      )
      expect(leads.length).toBeGreaterThan(0)
      expect(new Set(leads.map((lead) => lead.partner_id![1]))).toEqual(new Set([null]))
      expect(leads.flatMap((lead) => lead.order_ids)).toEqual([])
      const groups = await key.must<{ partner_id: [number, string | null] | null }[]>('crm.lead', 'read_group', [
        { groupby: ['partner_id'] },
      ])
      expect(new Set(groups.map(({ partner_id }) => partner_id?.[1] ?? null))).toEqual(new Set([null]))
    })

    test('a form that is edited shows no values of a model outside it', async () => {
      const admin = await host.apiKey('admin')
      const key = await keyFor({
        'crm.lead': [...READS],
        'crm.stage': ['read'],
        'crm.team': ['read'],
        'core.user': ['read'],
      })
      const partner_id = await first(admin, 'core.partner')
      expect(await key.rpc('crm.lead', 'onchange', [{ name: 'x', partner_id }, 'partner_id'])).toMatchObject(DENIED)
      expect(await key.rpc('crm.lead', 'onchange', [{ name: 'x' }, []])).toMatchObject({ ok: true })
    })

    test('an action on a record uses only models within it', async () => {
      const lead = { 'crm.lead': ['*'], 'crm.stage': ['read'], 'core.partner': ['*'], 'core.currency': ['read'] }
      const narrow = await keyFor(lead)
      const wide = await keyFor({ ...lead, 'sale.order': ['create'], '*': ['read'] })
      const id = await first(narrow, 'crm.lead')
      const before = await stateOf('sale.order')
      expect(await narrow.rpc('crm.lead', 'call', [id, 'action_new_quotation'])).toMatchObject(DENIED)
      expect(await stateOf('sale.order')).toBe(before)
      expect(await wide.rpc('crm.lead', 'call', [id, 'action_new_quotation'])).toMatchObject({ ok: true })
      const calling = await keyFor({ 'crm.lead': ['read', 'call'], 'crm.stage': ['read'] })
      expect(await calling.rpc('crm.lead', 'call', [id, 'action_won'])).toMatchObject(DENIED)
    })

    test('consequences of an allowed call happen nevertheless: numbers, history, amounts', async () => {
      const key = await keyFor({ 'crm.lead': ['create', 'write', 'read'] })
      const id = await key.must<number>('crm.lead', 'create', [{ name: 'From outside' }])
      await key.must('crm.lead', 'write', [[id], { priority: '1' }])
      const [lead] = await key.must<{ code: string }[]>('crm.lead', 'read', [[id], ['code']])
      expect(lead!.code).toBeTruthy()
    })

    test('an invalid scope covers nothing', async () => {
      const key = await host.apiKey('admin')
      await host.modules.asSystem((env) =>
        env.model('core.api.key').write([key.keyId], { scope: { modles: {} } as never }),
      )
      expect(await key.rpc('core.partner', 'search', [])).toMatchObject(DENIED)
    })
  })

  describe('over every scope, method and path', () => {
    const random = randomOf(20_261)
    /** A few models that may be read, each with links to others inside and outside. */
    const scopes = (): Scope[] =>
      Array.from({ length: repeats(8, 200) }, () =>
        Object.fromEntries(
          sample(
            random,
            [...registry.models.values()].filter(({ rpc }) => rpc === 'all').map(({ name }) => name),
            4,
          ).map((name) => [name, ['search_read', 'read_group', 'onchange', 'create', 'write', 'unlink', 'call']]),
        ),
      )

    const links = (model: string) =>
      [...registry.model(model)!.fields.values()].filter((field) => field.relation !== null && !field.secret)
    const isInside = (scope: Scope, field: Field) => Object.hasOwn(scope, field.relation!.target)
    const isPlain = (field: Field) => field.column !== null || (field.compute === null && field.related === null)

    test('nothing outside is searched, sorted, grouped or shown', async () => {
      const leaks: unknown[] = []
      for (const scope of scopes()) {
        const key = await keyFor(scope)
        for (const model of Object.keys(scope)) {
          const outside = links(model).filter((field) => !isInside(scope, field))
          for (const field of sample(random, outside.filter(isPlain), 8)) {
            const target = registry.model(field.relation!.target)!
            const end = pick(
              random,
              [...target.fields.keys()].filter((name) => !target.fields.get(name)!.secret),
            )
            const path = `${field.name}.${end}`
            const asked = [
              key.rpc(model, 'search_read', [[[path, '!=', null]], ['id']]),
              key.rpc(model, 'search_read', [[[field.name, 'any', []]], ['id']]),
              key.rpc(model, 'search_read', [[[field.name, 'ilike', 'a']], ['id']]),
              key.rpc(model, 'read_group', [{ groupby: [path] }]),
              key.rpc(model, 'read_group', [{ fields: [{ name: 'n', field: path, measure: 'count' }] }]),
            ]
            for (const answer of await Promise.all(asked))
              if (answer.ok) leaks.push([scope, model, path, answer.result])
          }
          const names = outside.map((field) => field.name)
          const records = await key.must<Record<string, unknown>[]>(model, 'search_read', [[], names], { limit: 20 })
          for (const field of outside) {
            for (const { [field.name]: value } of records) {
              const [, name] = Array.isArray(value) && field.relation!.kind === 'many2one' ? value : [null, null]
              const isShown = field.relation!.kind === 'many2one' ? name !== null : (value as unknown[]).length > 0
              if (isShown) leaks.push([model, field.name, value])
            }
          }
          for (const { name, related, relation, column } of registry.model(model)!.fields.values()) {
            if (related === null || relation !== null || column !== null) continue
            const [step] = related.map((each) => registry.model(model)!.fields.get(each))
            if (step?.relation == null || isInside(scope, step)) continue
            const sorted = await key.rpc(model, 'search_read', [[], ['id', name]], { order: name })
            const shown = await key.must<Record<string, unknown>[]>(model, 'search_read', [[], [name]], { limit: 20 })
            if (shown.some((record) => (record[name] ?? false) !== false)) leaks.push([model, name, shown])
            if (sorted.ok) leaks.push([model, `order ${name}`])
          }
        }
      }
      expect(leaks).toEqual([])
    })

    test('nothing outside is created, changed, linked or deleted through commands', async () => {
      const leaks: unknown[] = []
      for (const scope of scopes()) {
        const key = await keyFor(scope)
        for (const model of Object.keys(scope)) {
          const [record] = await key.must<{ id: number }[]>(model, 'search_read', [[], ['id']], { limit: 1 })
          if (record === undefined) continue
          for (const field of links(model)) {
            const target = field.relation!.target
            if (isInside(scope, field) || field.readonly || field.system || !isPlain(field)) continue
            const { rows } = await sql<{ id: number }>`
              select id from ${sql.table(registry.model(target)!.table)} order by id limit 1`.execute(host.database.db)
            const id = rows[0]?.id ?? 1
            const values =
              field.relation!.kind === 'many2one'
                ? [id]
                : [[[0, 0, { name: 'x' }]], [[1, id, { name: 'x' }]], [[2, id]], [[4, id]], [[6, 0, [id]]]]
            const before = await stateOf(target)
            for (const value of values) {
              const answer = await key.rpc(model, 'write', [[record.id], { [field.name]: value }])
              if (answer.ok) leaks.push([model, field.name, value])
            }
            if ((await stateOf(target)) !== before) leaks.push([model, field.name, 'changed rows'])
          }
        }
      }
      expect(leaks).toEqual([])
    })

    test('no action changes a model that may only be read', async () => {
      const changed: unknown[] = []
      const all = [...registry.models.keys()]
      for (const model of registry.models.values()) {
        if (model.actions.size === 0 || model.rpc !== 'all') continue
        const key = await keyFor({ [model.name]: ['read', 'search_read', 'call'], '*': ['read', 'search_read'] })
        const records = await key.must<{ id: number }[]>(model.name, 'search_read', [[], ['id']], { limit: 3 })
        for (const action of model.actions.keys()) {
          const before = await statesOf(all)
          for (const { id } of records) await key.rpc(model.name, 'call', [id, action])
          for (const [name, state] of await statesOf(all))
            if (before.get(name) !== state) changed.push([model.name, action, name])
        }
      }
      expect(changed).toEqual([])
    })
  })
})

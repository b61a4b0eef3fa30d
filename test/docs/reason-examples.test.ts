import { expect, test } from 'vitest'
import { listReasons, REASONS } from '../../kernel/reasons.ts'
import { describeHost } from '../support/hosts.ts'

const partner = (method: string, ...args: readonly unknown[]) => ({ model: 'core.partner', method, args })
const grouped = (spec: object) => partner('read_group', { groupby: [], ...spec })
const named = ['name', '=', 'a']

/** A call that is refused with the very sentence that the page on reasons has as the example. */
const CALLS: Readonly<Record<string, object>> = {
  input_invalid: partner('read', 'x'),
  body_forbidden: partner('create', { name: 'a\0b' }),
  limit_exceeded: partner('search', [...Array(100).fill('|'), ...Array(101).fill(named)]),
  field_unknown: partner('search_read', [], ['colour']),
  field_unsuitable: grouped({ groupby: ['name.x'] }),
  domain_invalid: partner('search', [['name', 'liek', 'a']]),
  order_invalid: { ...partner('search'), kwargs: { order: 'image' } },
  cursor_invalid: { ...partner('search'), kwargs: { cursor: 'a' } },
  group_invalid: grouped({ groupby: ['image'] }),
  measure_invalid: grouped({ fields: [{ name: 'm', field: 'city', measure: 'median' }] }),
  model_read_only: { model: 'sys.log', method: 'unlink', args: [[1]] },
  model_unknown: { ...partner('search'), model: 'core.partnr' },
  method_unknown: partner('serch'),
  value_taken: { model: 'core.tag', method: 'create_many', args: [[{ name: 'a' }, { name: 'a' }]] },
  reference_broken: partner('create', { name: 'a', country_id: 999_999 }),
  value_required: { model: 'core.tag', method: 'create', args: [{}] },
  value_invalid: { model: 'sys.sequence', method: 'create', args: [{ name: 'a', code: 'a', padding: 1.5 }] },
  field_read_only: partner('create', { name: 'a', account_ids: [] }),
}

describeHost('the examples of reasons', 'process', (host) => {
  test.each(Object.entries(CALLS))('%s', async (slug, call) => {
    const { code, example, details } = listReasons(REASONS).find(({ reason }) => reason === slug)!
    const { error } = await (await host.signIn('admin')).send(call)
    expect(error).toMatchObject({ code, message: example, details: { reason: slug } })
    for (const key of Object.keys(details ?? {})) expect(error?.details).toHaveProperty(key)
  })

  test('an order by an unknown field says that there is none', async () => {
    const admin = await host.signIn('admin')
    const messageOf = async (order: string) =>
      (await admin.send({ ...partner('search'), kwargs: { order } })).error?.message
    expect(await messageOf('colour')).toBe('Cannot order by "colour": core.partner has no such field.')
    expect(await messageOf('name up')).toContain('expected a field name, optionally followed by asc or desc.')
  })
})

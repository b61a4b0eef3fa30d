import { expect, test } from 'vitest'
import type { Registry } from '../../kernel/model/registry.ts'
import { sql } from '../../kernel/sql/sql.ts'
import type { Agent } from '../support/agent.ts'
import type { Host } from '../support/hosts.ts'
import { randomOf, sample } from '../support/seeded-random.ts'
import { repeats } from '../support/soak.ts'

/** By model, values with which an attacker could sign in or get rights. */
const ATTACKED_VALUES: Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>> = {
  'core.user': [
    { password: 'a password of my own' },
    { login: 'mine' },
    { email: 'mine@evil.example' },
    { group_ids: [[4, 1]] },
    { group_ids: [[6, 0, [1, 2, 3]]] },
    { api_key_ids: [[0, 0, { name: 'mine' }]] },
  ],
  'core.group': [{ user_ids: [[4, 3]] }, { user_ids: [[6, 0, [3]]] }, { implied_ids: [[4, 1]] }],
  'core.api.key': [{ scope: null }, { expires_at: null }, { user_id: 1 }, { active: true }],
}

const NEW: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'core.user': { name: 'Eve', login: 'eve', password: 'a password of my own', group_ids: [[6, 0, [1, 2]]] },
  'core.group': { name: 'Mine', user_ids: [[4, 3]], implied_ids: [[4, 1]] },
  'core.api.key': { name: 'mine', user_id: 1 },
}

type Attempt = readonly [model: string, method: string, args: readonly unknown[]]

/** Every way to those values: the model itself, and commands in every field of any model that leads to it. */
function attempts(registry: Registry): Attempt[] {
  const direct = Object.entries(ATTACKED_VALUES).flatMap(([model, all]): Attempt[] => [
    [model, 'create', [NEW[model]]],
    [model, 'create_many', [[NEW[model]]]],
    ...all.flatMap((values): Attempt[] => [
      [model, 'write', [[1], values]],
      [model, 'write', [[3], { ...values, name: 'x' }]],
      [model, 'write_many', [[2, 3], values]],
    ]),
  ])
  const nested = [...registry.models.values()].flatMap((model) =>
    [...model.fields.values()].flatMap(({ name, relation }): Attempt[] => {
      const target = relation !== null && relation.kind !== 'many2one' ? relation.target : ''
      const values = ATTACKED_VALUES[target] ?? []
      const commands = [[0, 0, NEW[target]], ...values.map((value) => [1, 3, value])]
      return values.length === 0 ? [] : commands.map((command) => [model.name, 'write', [[1], { [name]: [command] }]])
    }),
  )
  return [...direct, ...nested]
}

/** Neither a key without the right to credentials nor a session that has not confirmed its password changes who may come in. */
export function attackCredentials(host: Host): void {
  test('no way leads a key, or a session without a recent password, to credentials', async () => {
    const { registry } = await host.modules.holder.latest()
    const all = attempts(registry)
    expect(all.length).toBeGreaterThan(40)
    const stale = await host.signIn('admin')
    await sql`update sys_session set reauth_at = null`.execute(host.database.db)
    const callers: readonly (readonly [string, Agent])[] = [
      ['an unlimited key', await host.apiKey('admin')],
      ['a key for every model', await host.apiKey('admin', { scope: { models: { '*': ['*'] } } })],
      ['a key that denies it', await host.apiKey('admin', { scope: { credentials: false } })],
      ['a session without a recent password', stale],
    ]
    const before = await stateOf(host)
    const random = randomOf(1_983)
    for (const [who, agent] of callers) {
      for (const [model, method, args] of sample(random, all, repeats(12, all.length))) {
        const answer = await agent.rpc(model, method, args)
        expect([who, model, method, args, answer.ok ? 'was done' : await stateOf(host)]).toEqual([
          who,
          model,
          method,
          args,
          before,
        ])
      }
    }
  })
}

/** A sum over everything that decides who may come in, and as what. */
async function stateOf(host: Host): Promise<string> {
  const { rows } = await sql<{ sum: string }>`select md5(concat(
    (select string_agg(concat_ws(',', id, login, email, active), ';' order by id) from core_user),
    (select string_agg(t::text, ';' order by t::text) from sys_credential t),
    (select string_agg(t::text, ';' order by t::text) from core_user_group_ids_rel t),
    (select string_agg(t::text, ';' order by t::text) from core_group_implied_ids_rel t),
    (select string_agg(concat_ws(',', id, user_id, scope, expires_at, active), ';' order by id) from core_api_key)
  )) as sum`.execute(host.database.db)
  return rows[0]!.sum
}

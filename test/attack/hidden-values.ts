import { expect, test } from 'vitest'
import type { Field } from '../../kernel/model/fields/field.ts'
import type { Model, Registry } from '../../kernel/model/registry.ts'
import { sql } from '../../kernel/sql/sql.ts'
import type { Agent } from '../support/agent.ts'
import type { Host } from '../support/hosts.ts'
import { below, pick, type Random, randomOf, sample } from '../support/seeded-random.ts'
import { isSoak, repeats } from '../support/soak.ts'

/** Each sees some records of every model and not others. */
const OBSERVERS = ['tomas@example.com', 'leila@example.com']
const ROUNDS = repeats(1, 100)
const PAGE = 7
const PAGES = 4

/** What decides on access changes answers by right. */
const isData = ({ name }: Model) => !/^sys\.|^core\.(group|company|user|api\.key)$/.test(name)

const isReadable = ({ secret, relation }: Field) => !secret && relation === null

/** What can be put into a column without changing who may see the record. */
const VALUES: Readonly<Record<string, (random: Random) => unknown>> = {
  char: (random) => `zqx ${below(random, 1e9)}`,
  text: (random) => `zqx ${below(random, 1e9)}`,
  integer: (random) => below(random, 1_000),
  float: (random) => below(random, 1_000),
  monetary: (random) => below(random, 1_000_000),
  date: (random) => `2031-01-${10 + below(random, 20)}`,
}

const isChangeable = ({ column, type }: Field) => column !== null && type.name in VALUES

type Ask = (agent: Agent) => Promise<unknown>

/** Calls that read all fields of the first records, and that sort, group and measure by fields of every kind. */
function questionsAbout(random: Random, model: Model): Ask[] {
  const names = [...model.fields.values()].filter(isReadable).map(({ name }) => name)
  const paths = [...model.fields.values()].flatMap(({ name, relation, secret }) =>
    secret ? [] : relation === null ? [name] : [name, `${name}.display_name`, `${name}.id`],
  )
  const call = (method: string, args: readonly unknown[], kwargs = {}): Ask => {
    return (agent) => agent.rpc(model.name, method, args, kwargs)
  }
  return [
    call('search_read', [[], names], { limit: 200, archived: 'include' }),
    ...sample(random, names, 3).map((name) => walk(model, pick(random, [name, `${name} desc`]))),
    ...sample(random, paths, 2).map((path) => call('read_group', [{ groupby: [path] }], { limit: 40 })),
    ...sample(random, paths, 2).map((field) =>
      call('read_group', [{ fields: [{ name: 'n', field, measure: pick(random, ['count_distinct', 'max']) }] }]),
    ),
    ...sample(random, paths, 2).map((path) => call('search_read', [[[path, '!=', null]], ['id']], { limit: 100 })),
  ]
}

/** The first pages in an order, one after the other by their cursors, or the refusal. */
const walk =
  (model: Model, order: string): Ask =>
  async (agent) => {
    const pages: unknown[] = []
    let cursor: string | null = null
    do {
      const kwargs = { order, limit: PAGE, ...(cursor !== null && { cursor }) }
      const answer = await agent.send({ model: model.name, method: 'search_read', args: [[], ['id']], kwargs })
      pages.push(answer.result, answer.error?.code)
      cursor = answer.headers.get('x-next-cursor')
    } while (cursor !== null && pages.length < PAGES * 2)
    return pages
  }

/** Changes of hidden records leave every answer as it was: fields computed on read, orders, cursors, groups, measures and searches. */
export function attackHiddenValues(host: Host): void {
  test('answers do not depend on records that the caller may not see', async () => {
    const random = randomOf(4_711)
    const { registry } = await host.modules.holder.latest()
    const models = [...registry.models.values()].filter((model) => model.rpc !== 'none' && isData(model))
    let changes = 0
    for (let round = 0; round < ROUNDS; round++) {
      const agent = await host.apiKey(OBSERVERS[round % OBSERVERS.length]!)
      const asked = sample(random, models, isSoak ? models.length : 12)
      const questions = asked.flatMap((model) => questionsAbout(random, model))
      const ask = async () => {
        const answers: unknown[] = []
        for (const question of questions) answers.push(await question(agent))
        return answers
      }
      const before = await ask()
      for (const model of models) changes += await changeHidden(host, registry, agent, model, random)
      expect(await ask(), `round ${round}`).toEqual(before)
    }
    expect(changes).toBeGreaterThan(ROUNDS * 2)
  })
}

/** Changes some of the records of a model that the caller cannot find; how many. */
async function changeHidden(host: Host, registry: Registry, agent: Agent, model: Model, random: Random) {
  const fields = [...model.fields.values()].filter(isChangeable)
  if (fields.length === 0 || registry.model(model.name) === undefined) return 0
  const { rows } = await sql<{ id: number }>`select id from ${sql.table(model.table)} order by id`.execute(
    host.database.db,
  )
  const ids = sample(
    random,
    rows.map((row) => row.id),
    150,
  )
  const found = await agent.rpc(model.name, 'search_read', [[['id', 'in', ids]], ['id']], { archived: 'include' })
  const visible = new Set(found.ok ? (found.result as { id: number }[]).map((row) => row.id) : [])
  let changed = 0
  for (const id of sample(
    random,
    ids.filter((id) => !visible.has(id)),
    30,
  )) {
    const { name, type } = pick(random, fields)
    const value = VALUES[type.name]!(random)
    // A value that a constraint of the table refuses changes nothing.
    changed += await sql`update ${sql.table(model.table)} set ${sql.ref(name)} = ${value} where id = ${id}`
      .execute(host.database.db)
      .then(
        () => 1,
        () => 0,
      )
  }
  return changed
}

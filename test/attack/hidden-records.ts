import { expect, test } from 'vitest'
import type { Field } from '../../kernel/model/fields/field.ts'
import type { Model } from '../../kernel/model/registry.ts'
import { sql } from '../../kernel/sql/sql.ts'
import type { Agent } from '../support/agent.ts'
import type { Host } from '../support/hosts.ts'
import { below, pick, type Random, randomOf, sample } from '../support/seeded-random.ts'
import { repeats } from '../support/soak.ts'

const WRITES = repeats(15, 4_000)
const WRITERS = ['tomas@example.com', 'aiko@example.com', 'leila@example.com']
/** Models whose records move together: subtasks, lines, activities, orders of a lead, contacts of a company. */
const MODELS = [
  'project.task',
  'project.timesheet',
  'project.milestone',
  'crm.lead',
  'crm.activity',
  'sale.order',
  'sale.order.line',
  'core.partner',
]

type Ids = ReadonlyMap<string, ReadonlySet<number>>

/** Whatever a user writes or calls, records that were hidden before stay hidden and stay where they are. */
export function attackHiddenRecords(host: Host): void {
  test('no write and no action makes a hidden record readable, or moves it', async () => {
    const random = randomOf(815)
    const { registry } = await host.modules.holder.latest()
    await hangUnderOthers(host, random)
    const leaks: unknown[] = []
    const agents = new Map<string, Agent>()
    let done = 0
    for (let i = 0; i < WRITES && leaks.length < 5; i++) {
      const login = WRITERS[i % WRITERS.length]!
      const agent = agents.get(login) ?? (await host.apiKey(login))
      agents.set(login, agent)
      const before = await visibleTo(agent)
      const hidden = await placesOf(host, before)
      const model = registry.model(
        pick(
          random,
          MODELS.filter((name) => before.get(name)!.size > 0),
        ),
      )!
      const tempting = random() < 0.5 ? await parentsOf(host, model, hidden.get(model.name)!) : []
      const known = before.get(model.name)!
      const parents = tempting.filter((parent) => known.has(parent))
      const id = pick(random, parents.length > 0 ? parents : [...known])
      const open = [...model.fields.values()].filter(
        (field) => !field.readonly && !field.system && field.compute === null,
      )
      const links = open.filter(({ relation }) => relation?.kind === 'many2one')
      const link = pick(random, links)
      const targets = await idsOf(agent, link.relation!.target)
      // Moving to another place often requires clearing other links.
      const cleared = links.filter((field) => !field.required && random() < 0.5)
      const others = random() < 0.7 ? [] : sample(random, open, 1 + below(random, 2))
      const values = Object.fromEntries([
        ...cleared.map((field) => [field.name, null]),
        ...others.map((field) => [field.name, valueFor(random, field, before)]),
        [link.name, targets.length > 0 ? pick(random, targets) : null],
      ])
      const actions = [...model.actions.keys()]
      const isAction = actions.length > 0 && random() < 0.3
      const call = isAction ? [id, pick(random, actions)] : [[id], values]
      const { ok } = await agent.rpc(model.name, isAction ? 'call' : 'write', call)
      if (ok) done++
      const after = await visibleTo(agent)
      for (const [name, ids] of hidden) {
        const shown = [...ids.keys()].filter((hiddenId) => after.get(name)!.has(hiddenId))
        if (shown.length > 0) leaks.push({ login, model: model.name, call, shows: name, ids: shown })
      }
      const moved = differences(hidden, await placesOf(host, before))
      if (moved.length > 0) leaks.push({ login, model: model.name, call, moved })
    }
    expect(leaks).toEqual([])
    expect(done).toBeGreaterThan(WRITES / 20)
  })
}

/** Puts half of the records of every tree under any other, so that visible ones have hidden children. */
async function hangUnderOthers(host: Host, random: Random): Promise<void> {
  const { registry } = await host.modules.holder.latest()
  for (const model of MODELS.map((name) => registry.model(name)!)) {
    if (model.parentField === null) continue
    const table = sql.table(model.table)
    const { rows } = await sql<{ id: number }>`select id from ${table} order by id`.execute(host.database.db)
    for (const [i, { id }] of rows.entries()) {
      if (i === 0 || random() < 0.5) continue
      const parent = rows[below(random, i)]!.id
      await sql`update ${table} set ${sql.ref(model.parentField)} = ${parent} where id = ${id}`.execute(
        host.database.db,
      )
    }
  }
}

/** Records that hidden ones hang under. */
async function parentsOf(host: Host, { parentField, table }: Model, hidden: ReadonlyMap<number, string>) {
  if (parentField === null) return []
  const { rows } = await sql<{ id: number }>`select distinct ${sql.ref(parentField)} as id from ${sql.table(table)}
    where id = any(${[...hidden.keys()]}::int[])`.execute(host.database.db)
  return rows.map((row) => row.id)
}

async function visibleTo(agent: Agent): Promise<Ids> {
  const visible = new Map<string, ReadonlySet<number>>()
  for (const model of MODELS) visible.set(model, new Set(await idsOf(agent, model)))
  return visible
}

async function idsOf(agent: Agent, model: string): Promise<number[]> {
  const answer = await agent.rpc(model, 'search_read', [[], ['id']], { limit: 500, archived: 'include' })
  return answer.ok ? (answer.result as { id: number }[]).map((row) => row.id) : []
}

/** The links of every record that was not visible, by model and id. */
async function placesOf(host: Host, visible: Ids): Promise<Map<string, Map<number, string>>> {
  const { registry } = await host.modules.holder.latest()
  const places = new Map<string, Map<number, string>>()
  for (const [name, ids] of visible) {
    const { fields, table } = registry.model(name)!
    const links = [...fields.values()].filter(
      ({ column, relation, system }) => column !== null && relation !== null && !system,
    )
    const { rows } = await sql<{ id: number; place: string }>`
      select id, concat_ws(',', ${sql.join(links.map((field) => sql`coalesce(${sql.ref(field.name)}, 0)`))}) as place
      from ${sql.table(table)} where not (id = any(${[...ids]}::int[]))`.execute(host.database.db)
    places.set(name, new Map(rows.map(({ id, place }) => [id, place])))
  }
  return places
}

const differences = (before: Map<string, Map<number, string>>, after: Map<string, Map<number, string>>) =>
  [...before].flatMap(([model, places]) =>
    [...places].flatMap(([id, place]) => {
      const now = after.get(model)!.get(id)
      return now === place ? [] : [{ model, id, from: place, to: now }]
    }),
  )

function valueFor(random: Random, { type, relation, selection }: Field, visible: Ids): unknown {
  const targetId = () => {
    const known = relation === null ? undefined : visible.get(relation.target)
    return known !== undefined && known.size > 0 && random() < 0.8 ? pick(random, [...known]) : 1 + below(random, 40)
  }
  if (relation?.kind === 'many2one') return random() < 0.15 ? null : targetId()
  if (relation !== null) return pick(random, [[[4, targetId()]], [[3, targetId()]], [[6, 0, [targetId(), targetId()]]]])
  if (selection !== null) return pick(random, [...selection.keys()])
  if (type.name === 'boolean') return random() < 0.5
  if (/integer|float|monetary/.test(type.name)) return below(random, 100)
  if (type.name === 'date') return '2026-12-24'
  if (type.name === 'datetime') return '2026-12-24T10:00:00Z'
  return `Text ${below(random, 1_000)}`
}

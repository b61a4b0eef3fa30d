import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Env } from '../../kernel/env.ts'
import { bootstrapOf } from '../../kernel/shell/bootstrap.ts'
import type { WireMenu, WireRecord } from '../../kernel/view/wire.ts'
import type { WorkspaceQuery } from '../../kernel/workspace/workspace-query.ts'
import { offersOnCard, offersOnForm, offersOnList, refusedOf } from '../support/offers.ts'
import { openWorkspace } from '../support/open-workspace.ts'
import { openPeople, type People } from '../support/people.ts'
import { repeats } from '../support/soak.ts'

let people: People
beforeAll(async () => {
  people = await openPeople(['contacts', 'product', 'sale', 'crm', 'project'])
})
afterAll(() => people.leave())

/** Records of each menu that are tried in lists, forms and on boards, spread over it. */
const TRIED = repeats(1, 20)

const USERS: readonly (readonly [who: string, login: string, models: number])[] = [
  ['a salesperson', 'tomas@example.com', 11],
  ['a manager of both companies', 'demo@example.com', 11],
  ['somebody of the second company', 'leila@example.com', 11],
  ['a manager of the second company', 'mia@example.com', 11],
  // Neither leads nor projects are hers.
  ['an accountant of the second company', 'frieda@example.com', 7],
  ['an administrator', 'admin', 11],
]

const hrefsOf = (menus: readonly WireMenu[]): readonly string[] =>
  menus.flatMap(({ href, children }) => [...(href === null ? [] : [href]), ...hrefsOf(children)])

const queryOf = (href: string): WorkspaceQuery =>
  Object.fromEntries(
    [...new URL(href, 'http://localhost').searchParams].map(([name, value]) => [
      name,
      /^\d+$/.test(value) ? Number(value) : value,
    ]),
  )

test.each(USERS)('every menu, view, list and form offers %s only what is not refused', async (_who, login, models) => {
  const nth = USERS.findIndex(([, other]) => other === login)
  const problems = await people.as(login, async (env) => {
    const { topMenus } = await bootstrapOf(env, { csrfToken: '', query: {} })
    const found: string[] = []
    const known = new Set<string>()
    for (const query of [...new Set(hrefsOf(topMenus))].filter((href) => href.startsWith('/web?')).map(queryOf)) {
      const { viewTabs, arch } = await openWorkspace(env, query)
      const views = []
      for (const { mode } of viewTabs) views.push(await openWorkspace(env, { ...query, view_type: mode }))
      if (known.has(arch.model)) continue
      known.add(arch.model)
      found.push(...(await refusedIn(env, query, nth)))
      const board = views.find(({ viewType }) => viewType === 'kanban')
      for (const record of spread(board?.records ?? [], nth))
        found.push(...(await refusedOf(env, `card of ${arch.model} ${record.id}`, offersOnCard(env, board!, record))))
    }
    expect(known.size).toBeGreaterThanOrEqual(models)
    return found
  })
  expect(problems).toEqual([])
})

/** What the list of a menu and the forms of some of its records offer and refuse. */
async function refusedIn(env: Env, query: WorkspaceQuery, nth: number): Promise<readonly string[]> {
  const list = await openWorkspace(env, { ...query, view_type: 'list', filter: '' })
  const found: string[] = []
  for (const record of spread(list.records, nth)) {
    const place = `${list.model} ${record.id}`
    found.push(...(await refusedOf(env, `list of ${place}`, offersOnList(env, list, record))))
    const form = await openWorkspace(env, { ...query, view_type: 'form', id: record.id })
    found.push(...(await refusedOf(env, `form of ${place}`, await offersOnForm(env, form))))
  }
  return found
}

/** Some of the records; every other user begins in the middle. */
const spread = (records: readonly WireRecord[], nth: number): readonly WireRecord[] => {
  const step = Math.max(1, Math.floor(records.length / TRIED))
  const first = nth % 2 === 0 ? 0 : Math.floor(step / 2)
  return records.filter((_record, index) => index % step === first)
}

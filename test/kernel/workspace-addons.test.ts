import { afterAll, beforeAll, expect, test } from 'vitest'
import { navigationOf } from '../../kernel/navigation/menu.ts'
import { VIEW_TYPES } from '../../kernel/view/arch/arch.ts'
import { workspaceQuery } from '../../kernel/workspace/workspace-query.ts'
import { openWorkspace } from '../support/open-workspace.ts'
import { openPeople, type People } from '../support/people.ts'

let people: People

beforeAll(async () => {
  people = await openPeople(['contacts', 'crm', 'project'])
})
afterAll(() => people.leave())

interface Seen {
  readonly action: string
  readonly type: string
  readonly total: number
}

/** Opens every kind of view of every action that a user's menus lead to. */
const tour = (login: string) =>
  people.as(login, async (env) => {
    const views = await env.views()
    const { actions } = navigationOf(env, views)
    const seen: Seen[] = []
    for (const action of new Set(actions.values())) {
      for (const type of views.actions.get(action)!.viewModes.filter((mode) => mode !== 'form')) {
        const query = workspaceQuery.parse({ action: String(action), view_type: type, q: type === 'list' ? 'e' : '' })
        const { title, viewType, listTotal, records, viewTabs, arch } = await openWorkspace(env, query)
        expect(viewType, title).toBe(type)
        expect(viewTabs.filter(({ active }) => active)).toHaveLength(1)
        const missing = arch.fields.filter(({ name }) => records[0] && !(name in records[0]))
        expect(missing, `${title} ${type}`).toEqual([])
        if (arch.warnings) throw new Error(arch.warnings.join())
        const [first] = records
        if (type === 'list' && first) {
          const form = workspaceQuery.parse({ action: String(action), id: String(first.id) })
          expect((await openWorkspace(env, form)).records).toHaveLength(1)
        }
        seen.push({ action: title, type, total: listTotal })
      }
    }
    return seen
  })

test('every menu of every addon opens in every view for an administrator, and all nine kinds have records to show', async () => {
  const seen = await tour('admin')
  const shown = new Set(seen.filter(({ total }) => total > 0).map(({ type }) => type))
  expect([...shown, 'form'].sort()).toEqual(VIEW_TYPES.filter((type) => type !== 'search').sort())
})

test('every other user can open all their menus', async () => {
  expect((await tour('ann')).length).toBeGreaterThan(0)
  const { access } = await people.modules.holder.latest()
  const groups = [...access.groupIdByXmlid.keys()].filter((name) => name.endsWith('.group_user'))
  await people.hire('uma', groups)
  expect((await tour('uma')).length).toBeGreaterThan(5)
})

test('records are called alike whether an action or their model alone is asked for', async () => {
  const names = await people.as('admin', async (env) => {
    const opened = ['project.task', 'core.partner', 'crm.lead', 'crm.stage'].map((model) =>
      openWorkspace(env, workspaceQuery.parse({ model, view_type: 'list' })),
    )
    return (await Promise.all(opened)).map(({ recordNames }) => recordNames?.[1])
  })
  expect(names).toEqual(['tasks', 'contacts', 'leads', 'pipeline stages'])
})

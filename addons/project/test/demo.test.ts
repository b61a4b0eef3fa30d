import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { WorkspaceQuery } from '../../../kernel/workspace/workspace-query.ts'
import { openWorkspace } from '../../../test/support/open-workspace.ts'
import { openPeople, type People } from '../../../test/support/people.ts'

let people: People

beforeAll(async () => {
  people = await openPeople(['project'])
})
afterAll(() => people.leave())

describe('the examples', () => {
  test('are hundreds of tasks in a dozen projects, planned around today', async () => {
    await people.asSystem(async (env) => {
      const tasks = env.model('project.task')
      expect(await env.model('project.project').count([])).toBeGreaterThanOrEqual(12)
      expect(await tasks.count([])).toBeGreaterThanOrEqual(200)
      expect(await tasks.count([['depends_on_ids', '!=', null]])).toBeGreaterThanOrEqual(80)
      expect(await tasks.count([['parent_id', '!=', null]])).toBeGreaterThanOrEqual(30)
      expect(await tasks.count([['date_end', '<', 'today']])).toBeGreaterThan(50)
      expect(await tasks.count([['date_start', '>', 'today']])).toBeGreaterThan(50)
      expect(await tasks.count([['is_overdue', '=', true]])).toBeGreaterThan(3)
      expect(await env.model('project.timesheet').count([])).toBeGreaterThanOrEqual(150)
    })
  })

  test('put a task into every stage, and a closing date on every closed one', async () => {
    await people.asSystem(async (env) => {
      for (const stage of await env.model('project.stage').search([])) {
        expect(await env.model('project.task').count([['stage_id', '=', stage]])).toBeGreaterThan(0)
      }
      const closed = ['is_closed', '=', true] as const
      expect(await env.model('project.task').count([closed, ['date_closed', '=', null]])).toBe(0)
      expect(await env.model('project.task').count([closed, ['progress', '!=', 100]])).toBe(0)
    })
  })

  test('divide two companies: a user of one sees nothing of the other', async () => {
    const companies = async (login: string) => {
      const rows = await people.as(login, (env) => env.model('project.project').searchRead([], ['company_id']))
      return new Set(rows.map((row) => row.company_id?.[1]))
    }
    expect(await companies('mia@example.com')).toEqual(new Set(['Nordlicht Trading']))
    expect(await companies('tomas@example.com')).toEqual(new Set(['My Company']))
    expect((await companies('demo@example.com')).size).toBe(2)
  })

  test('hide a project of members only from a colleague', async () => {
    const names = (login: string) =>
      people.as(login, async (env) =>
        (await env.model('project.project').searchRead([['visibility', '=', 'members']], ['name'])).map(
          (row) => row.name,
        ),
      )
    expect(await names('noah@example.com')).toContain('Warehouse Automation')
    expect(await names('tomas@example.com')).not.toContain('Warehouse Automation')
  })
})

describe('the views', () => {
  const MODELS = [
    'project.project',
    'project.task',
    'project.milestone',
    'project.timesheet',
    'project.stage',
    'project.tag',
  ]

  test('resolve without a problem', async () => {
    const views = await people.asSystem((env) => env.views())
    const own = [...views.views.values()].filter((view) => MODELS.includes(view.model))
    expect(own.length).toBeGreaterThanOrEqual(20)
    expect(own.flatMap((view) => views.resolve(view.model, view.type, view.id)?.problems ?? ['none'])).toEqual([])
  })

  test('of a task are of every kind but the map', async () => {
    const views = await people.asSystem((env) => env.views())
    const kinds = [...views.views.values()].filter((view) => view.model === 'project.task').map((view) => view.type)
    expect(kinds.sort()).toEqual(['calendar', 'cohort', 'form', 'gantt', 'graph', 'kanban', 'list', 'pivot', 'search'])
  })

  test('of every menu have something to show to the demo user', async () => {
    const open = (action: number, view_type?: WorkspaceQuery['view_type']) =>
      people.as('demo@example.com', (env) => openWorkspace(env, { action, view_type, filter: '' }))
    const views = await people.asSystem((env) => env.views())
    const actions = [...views.actionIdByXmlid].filter(([xmlid]) => xmlid.startsWith('project.'))
    for (const [xmlid, id] of actions) {
      for (const { mode } of (await open(id)).viewTabs) {
        const page = await open(id, mode)
        expect([xmlid, page.viewType, page.arch.warnings ?? []]).toEqual([xmlid, mode, []])
        if (mode !== 'form') expect([xmlid, mode, page.listTotal > 0]).toEqual([xmlid, mode, true])
      }
    }
  })
})

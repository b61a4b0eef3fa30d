import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { AppError } from '../../../kernel/errors.ts'
import { actOnRecords } from '../../../kernel/workspace/act-on-records.ts'
import { undoAction } from '../../../kernel/workspace/undo-action.ts'
import { openWorkspace } from '../../../test/support/open-workspace.ts'
import { openPeople, type People } from '../../../test/support/people.ts'
import { projectMilestone } from '../models/project-milestone.ts'
import { projectProject } from '../models/project-project.ts'
import { projectTask } from '../models/project-task.ts'
import { viewFiles } from '../views/files.ts'

let people: People

beforeAll(async () => {
  people = await openPeople(['project'])
  await people.hire('mia', ['project.group_manager'])
  await people.hire('tom', ['project.group_user'])
  await people.hire('eva', ['project.group_user'])
})
afterAll(() => people.leave())

const userId = (login: string) => people.as(login, async (env) => env.user.id)

describe('a project', () => {
  test('gets its code and counts its tasks, hours and progress', async () => {
    await people.as('mia', async (env) => {
      const id = await env.model('project.project').create({ name: 'Bridge' })
      const [done] = await env.model('project.stage').search([['is_closed', '=', true]], { limit: 1 })
      await env.model('project.task').createMany([
        { name: 'Plan', project_id: id, stage_id: done!, planned_hours: 10 },
        { name: 'Build', project_id: id, planned_hours: 20, progress: 25 },
        { name: 'Open', project_id: id, planned_hours: 10 },
        { name: 'Dropped', project_id: id, planned_hours: 60, active: false },
      ])
      const [project] = await env
        .model('project.project')
        .read([id], ['code', 'task_count', 'open_task_count', 'closed_task_count', 'planned_hours', 'progress'])
      expect(project).toMatchObject({
        code: expect.stringMatching(/^P\d{4}$/),
        task_count: 3,
        open_task_count: 2,
        closed_task_count: 1,
        planned_hours: 40,
        progress: 37.5,
      })
    })
  })

  test('counts sub-tasks instead of the task they belong to', async () => {
    await people.as('mia', async (env) => {
      const id = await env.model('project.project').create({ name: 'Tunnel' })
      await env.model('project.task').create({
        name: 'Dig',
        project_id: id,
        planned_hours: 100,
        child_ids: [
          [0, 0, { name: 'Left', progress: 50 }],
          [0, 0, { name: 'Right', progress: 100 }],
        ],
      })
      const [project] = await env.model('project.project').read([id], ['progress'])
      expect(project!.progress).toBe(75)
    })
  })

  test.for([
    ['project.project', 'action_start', 'state'],
    ['project.task', 'action_done', 'stage_id'],
  ] as const)('%s: %s is taken back with everything it changed', ([name, action, field]) =>
    people.as('mia', async (env) => {
      const model = env.registry.model(name)!
      const project = await env.model('project.project').create({ name: 'Dam' })
      const id =
        name === 'project.project' ? project : await env.model(name).create({ name: 'Dig', project_id: project })
      const read = async (): Promise<Readonly<Record<string, unknown>>> =>
        (await env.model(name).read([id], [...model.fields.keys()] as never[]))[0]!
      const before = await read()
      const acted = await actOnRecords(env, { model, ids: [id], action, vals: {}, isTrial: false })
      if (acted instanceof AppError) throw acted
      expect((await read())[field]).not.toEqual(before[field])
      await undoAction(env, model, acted.undo!)
      expect(await read()).toEqual({ ...before, version: expect.anything(), write_date: expect.anything() })
    }),
  )

  test('passes through its states', async () => {
    const id = await people.as('mia', (env) => env.model('project.project').create({ name: 'Stadium' }))
    const states: unknown[] = []
    for (const action of [
      'action_start',
      'action_pause',
      'action_start',
      'action_done',
      'action_reset',
      'action_cancel',
    ]) {
      await people.as('mia', (env) => env.model('project.project').call([id], action))
      const [row] = await people.as('mia', (env) => env.model('project.project').read([id], ['state']))
      states.push(row!.state)
    }
    expect(states).toEqual(['running', 'paused', 'running', 'done', 'planned', 'cancelled'])
  })

  test('can be marked as a favourite without the right to change it', async () => {
    const id = await people.as('mia', (env) => env.model('project.project').create({ name: 'Museum' }))
    const favourites = (login: string) =>
      people.as(login, (env) =>
        env.model('project.project').search([
          ['id', '=', id],
          ['is_favourite', '=', true],
        ]),
      )
    await people.as('tom', (env) => env.model('project.project').call([id], 'action_toggle_favourite'))
    expect([await favourites('tom'), await favourites('eva')]).toEqual([[id], []])
    await people.as('tom', (env) => env.model('project.project').call([id], 'action_toggle_favourite'))
    expect(await favourites('tom')).toEqual([])
  })

  test('has milestones with the progress of their tasks', async () => {
    await people.as('mia', async (env) => {
      const id = await env.model('project.project').create({ name: 'Harbour' })
      const other = await env.model('project.project').create({ name: 'Pier' })
      const milestone = await env.model('project.milestone').create({ name: 'Permit', project_id: id })
      await env.model('project.task').createMany([
        { name: 'Apply', project_id: id, milestone_id: milestone, progress: 100 },
        { name: 'Wait', project_id: id, milestone_id: milestone, progress: 20 },
      ])
      const [row] = await env.model('project.milestone').read([milestone], ['task_count', 'progress'])
      expect(row).toMatchObject({ task_count: 2, progress: 60 })
      const stray = env.model('project.task').create({ name: 'Stray', project_id: other, milestone_id: milestone })
      await expect(stray).rejects.toMatchObject({ details: { fields: { milestone_id: expect.any(String) } } })
    })
  })
})

test('progress is a share in every view, never a bare number', () => {
  const fields = viewFiles.flatMap(({ text }) => text.match(/<field [^>]*>/g) ?? [])
  expect(
    fields.filter((node) => /name="(subtask_)?progress"/.test(node) && !node.includes('widget="progressbar"')),
  ).toEqual([])
  // A form that is made from the fields would show it as it is stored.
  const models = [projectMilestone, projectProject, projectTask].map(({ name }) => name)
  for (const model of models)
    expect(
      viewFiles.some(({ text }) => text.includes(`model="${model}" type="form"`)),
      model,
    ).toBe(true)
})

describe('access', () => {
  test('without a project group there is nothing to see', async () => {
    const peek = people.as('ann', (env) => env.model('project.task').count([]))
    await expect(peek).rejects.toMatchObject({ code: 'ACCESS_DENIED' })
  })

  test('a project for members only and its tasks are hidden from all other users', async () => {
    const id = await people.as('mia', async (env) =>
      env.model('project.project').create({ name: 'Secret', visibility: 'members', member_ids: [await userId('tom')] }),
    )
    await people.as('mia', (env) => env.model('project.task').create({ name: 'Hidden', project_id: id }))
    const see = (login: string) =>
      people.as(login, async (env) => [
        await env.model('project.project').count([['id', '=', id]]),
        await env.model('project.task').count([['project_id', '=', id]]),
      ])
    expect(await see('tom')).toEqual([1, 1])
    expect(await see('mia')).toEqual([1, 1])
    expect(await see('eva')).toEqual([0, 0])
    await expect(people.as('eva', (env) => env.model('project.project').read([id], ['name']))).rejects.toMatchObject({
      code: 'ACCESS_DENIED',
    })
  })

  test('users work on tasks but change only the projects they manage', async () => {
    const own = await people.as('mia', async (env) =>
      env.model('project.project').create({ name: 'Managed by Tom', user_id: await userId('tom') }),
    )
    const other = await people.as('mia', (env) => env.model('project.project').create({ name: 'Managed by Mia' }))
    const rename = (id: number) =>
      people.as('tom', (env) => env.model('project.project').write([id], { date_end: '2030-01-01' }))
    expect(await rename(own)).toBe(true)
    await expect(rename(other)).rejects.toMatchObject({ code: 'ACCESS_DENIED' })
    const task = await people.as('tom', (env) => env.model('project.task').create({ name: 'Help', project_id: other }))
    await expect(people.as('tom', (env) => env.model('project.task').unlink([task]))).rejects.toMatchObject({
      code: 'ACCESS_DENIED',
    })
  })

  test('a task without project is for its creator and assignees alone', async () => {
    const id = await people.as('tom', (env) => env.model('project.task').create({ name: 'Buy a present for Eva' }))
    const see = (login: string) => people.as(login, (env) => env.model('project.task').count([['id', '=', id]]))
    expect([await see('tom'), await see('eva'), await see('mia')]).toEqual([1, 0, 0])
  })

  test('people record their own hours, not those of others', async () => {
    const project = await people.as('mia', (env) => env.model('project.project').create({ name: 'Hours' }))
    const task = await people.as('mia', (env) => env.model('project.task').create({ name: 'T', project_id: project }))
    const record = async (as: string, of: string) => {
      const user_id = await userId(of)
      return people.as(as, (env) => env.model('project.timesheet').create({ task_id: task, hours: 1, user_id }))
    }
    await expect(record('tom', 'eva')).rejects.toMatchObject({ code: 'ACCESS_DENIED' })
    const entry = await record('tom', 'tom')
    expect(await people.as('eva', (env) => env.model('project.timesheet').count([['id', '=', entry]]))).toBe(1)
    const change = people.as('eva', (env) => env.model('project.timesheet').write([entry], { hours: 8 }))
    await expect(change).rejects.toMatchObject({ code: 'ACCESS_DENIED' })
    expect(await people.as('mia', (env) => env.model('project.timesheet').write([entry], { hours: 2 }))).toBe(true)
  })

  test('a user who sees a task sees its hours, so a move to another project reveals nothing more', async () => {
    const project = await people.as('mia', (env) => env.model('project.project').create({ name: 'Later' }))
    const assignees = [await userId('tom'), await userId('eva')]
    const task = await people.as('tom', (env) =>
      env.model('project.task').create({ name: 'Surprise', user_ids: assignees }),
    )
    const entry = await people.as('tom', (env) =>
      env.model('project.timesheet').create({ task_id: task, hours: 1, user_id: assignees[0]! }),
    )
    const see = (login: string) => people.as(login, (env) => env.model('project.timesheet').count([['id', '=', entry]]))
    expect([await see('tom'), await see('eva')]).toEqual([1, 1])
    await people.as('eva', (env) => env.model('project.task').write([task], { project_id: project }))
    expect([await see('tom'), await see('eva')]).toEqual([1, 1])
  })

  test('a company sees its own projects and those without company', async () => {
    const [own, shared, foreign] = await people.asSystem(async (env) => {
      const [main] = await env.model('core.company').searchRead([['name', '=', 'My Company']], ['currency_id'])
      const other = await env.model('core.company').create({ name: 'Rival', currency_id: main!.currency_id[0] })
      const projects = [main!.id, null, other].map((company_id) => ({ name: `Of ${company_id}`, company_id }))
      const made = await env.model('project.project').createMany(projects)
      await env.model('project.task').createMany(made.map((project_id) => ({ name: 'Task', project_id })))
      return made
    })
    for (const login of ['mia', 'tom']) {
      const seen = await people.as(login, (env) =>
        env.model('project.task').searchRead([['project_id', 'in', [own!, shared!, foreign!]]], ['project_id']),
      )
      expect(seen.map((row) => row.project_id?.[0]).sort()).toEqual([own, shared].sort())
      const read = people.as(login, (env) => env.model('project.project').read([foreign!], ['name']))
      await expect(read).rejects.toMatchObject({ code: 'ACCESS_DENIED' })
    }
  })
})

test('a form offers no next step to a user who may only read the project', async () => {
  const id = await people.as('mia', (env) => env.model('project.project').create({ name: 'Harbour' }))
  const offered = (login: string) =>
    people.as(login, async (env) => {
      const { arch } = await openWorkspace(env, { model: 'project.project', view_type: 'form', id })
      return [...JSON.stringify(arch.root).matchAll(/"name":"(action_\w+)"/g)].map(([, name]) => name)
    })
  expect(await offered('mia')).toEqual(expect.arrayContaining(['action_start', 'action_cancel', 'action_view_tasks']))
  const left = await offered('tom')
  expect(left).toContain('action_view_tasks')
  expect(left).not.toContain('action_start')
  expect(left).not.toContain('action_cancel')
})

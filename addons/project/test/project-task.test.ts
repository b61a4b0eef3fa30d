import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Values } from '#kernel'
import type { ModelApi } from '../../../kernel/work/model-api.ts'
import { openPeople, type People } from '../../../test/support/people.ts'

let people: People
let project: number

beforeAll(async () => {
  people = await openPeople(['project'])
  await people.hire('mia', ['project.group_manager'])
  await people.hire('tom', ['project.group_user'])
  project = await people.as('mia', (env) => env.model('project.project').create({ name: 'Roof' }))
})
afterAll(() => people.leave())

const add = (values: Values<'project.task'>) =>
  people.as('mia', (env) => env.model('project.task').create({ project_id: project, ...values }))

const change = (id: number, values: Values<'project.task'>) =>
  people.as('mia', (env) => env.model('project.task').write([id], values))

const call = (id: number, action: string) => people.as('mia', (env) => env.model('project.task').call([id], action))

const STATE = [
  'progress',
  'is_closed',
  'date_closed',
  'is_blocked',
  'subtask_count',
  'closed_subtask_count',
  'subtask_progress',
  'spent_hours',
  'remaining_hours',
  'project_id',
] as const

const look = async (id: number) => {
  const [task] = await people.as('mia', (env) => env.model('project.task').read([id], STATE))
  return task!
}

describe('a task', () => {
  test('starts in the first stage, with its creator and unfinished', async () => {
    const id = await add({ name: 'Measure' })
    const [task] = await people.as('mia', (env) =>
      env.model('project.task').read([id], ['stage_id', 'user_ids', 'progress']),
    )
    expect(task).toMatchObject({ stage_id: [expect.any(Number), 'Inbox'], progress: 0 })
    expect(task!.user_ids).toHaveLength(1)
  })

  test('is complete once it is done, and open again when it is reopened', async () => {
    const id = await add({ name: 'Order tiles', progress: 40 })
    await call(id, 'action_done')
    expect(await look(id)).toMatchObject({ is_closed: true, progress: 100, date_closed: expect.any(String) })
    await call(id, 'action_reopen')
    expect(await look(id)).toMatchObject({ is_closed: false, progress: 0, date_closed: null })
  })

  test('ends after it starts and is at most complete', async () => {
    const late = add({ name: 'Odd', date_start: '2026-02-02T09:00:00Z', date_end: '2026-02-01T09:00:00Z' })
    await expect(late).rejects.toMatchObject({ details: { fields: { date_end: 'A task ends after it starts.' } } })
    await expect(add({ name: 'Odd', progress: 120 })).rejects.toMatchObject({ code: 'VALIDATION' })
  })

  test('is duplicated without its history', async () => {
    const first = await add({ name: 'Ground' })
    const id = await add({ name: 'Paint', planned_hours: 6, depends_on_ids: [first] })
    await call(id, 'action_done')
    const answer = await call(id, 'action_duplicate')
    const copy = Number(/id=(\d+)$/.exec(answer === true ? '' : answer.redirect)![1])
    const [task] = await people.as('mia', (env) =>
      env.model('project.task').read([copy], ['name', 'planned_hours', 'is_closed', 'depends_on_ids', 'project_id']),
    )
    expect(task).toMatchObject({
      name: 'Paint (copy)',
      planned_hours: 6,
      is_closed: false,
      depends_on_ids: [],
      project_id: [project, 'Roof'],
    })
  })

  test('knows whether it is overdue, also in a search', async () => {
    const late = await add({ name: 'Late', date_end: '2020-01-01T12:00:00Z' })
    const done = await add({ name: 'Late but done', date_end: '2020-01-01T12:00:00Z' })
    await call(done, 'action_done')
    await people.as('mia', async (env) => {
      const tasks = env.model('project.task')
      const rows = await tasks.searchRead([['id', 'in', [late, done]]], ['is_overdue'], { order: 'id' })
      expect(rows.map((row) => row.is_overdue)).toEqual([true, false])
      const inProject = ['id', 'in', [late, done]] as const
      expect(await tasks.search([inProject, ['is_overdue', '=', true]])).toEqual([late])
      expect(await tasks.search([inProject, ['is_overdue', '=', false]])).toEqual([done])
    })
  })

  test('adds up the hours people record on it', async () => {
    const id = await add({ name: 'Lay tiles', planned_hours: 10 })
    await people.as('tom', (env) =>
      env.model('project.timesheet').createMany([
        { task_id: id, hours: 3.5 },
        { task_id: id, hours: 4 },
      ]),
    )
    expect(await look(id)).toMatchObject({ spent_hours: 7.5, remaining_hours: 2.5 })
    const endless = people.as('tom', (env) => env.model('project.timesheet').create({ task_id: id, hours: 25 }))
    await expect(endless).rejects.toMatchObject({ code: 'VALIDATION' })
  })
})

describe('sub-tasks', () => {
  test('roll up into their parent, by their planned hours', async () => {
    const parent = await add({
      name: 'Gutters',
      child_ids: [
        [0, 0, { name: 'Buy', planned_hours: 1 }],
        [0, 0, { name: 'Mount', planned_hours: 3, progress: 20 }],
      ],
    })
    expect(await look(parent)).toMatchObject({ subtask_count: 2, closed_subtask_count: 0, subtask_progress: 15 })
    const [buy] = await people.as('mia', (env) =>
      env.model('project.task').search([
        ['parent_id', '=', parent],
        ['name', '=', 'Buy'],
      ]),
    )
    await call(buy!, 'action_done')
    expect(await look(parent)).toMatchObject({ closed_subtask_count: 1, subtask_progress: 40 })
  })

  test('belong to the project of their parent and move with it', async () => {
    const parent = await add({ name: 'Chimney', child_ids: [[0, 0, { name: 'Sweep' }]] })
    const [child] = await people.as('mia', (env) => env.model('project.task').search([['parent_id', '=', parent]]))
    expect((await look(child!)).project_id).toEqual([project, 'Roof'])
    const other = await people.as('mia', (env) => env.model('project.project').create({ name: 'Cellar' }))
    await change(parent, { project_id: other })
    expect((await look(child!)).project_id).toEqual([other, 'Cellar'])
  })

  test('that the mover does not see stay where they are, and hidden', async () => {
    const [open, secret, cellar] = await people.as('mia', (env) =>
      env
        .model('project.project')
        .createMany([{ name: 'Open' }, { name: 'Secret', visibility: 'members' }, { name: 'Cellar of everybody' }]),
    )
    const parent = await add({ name: 'Stairs', project_id: open! })
    const hidden = await add({ name: 'Hidden', parent_id: parent, project_id: secret! })
    const below = await add({ name: 'Below the hidden one', parent_id: hidden, project_id: secret! })
    const seen = await add({ name: 'Seen', parent_id: parent, project_id: open! })
    const asTom = <T>(work: (tasks: ModelApi<'project.task'>) => Promise<T>) =>
      people.as('tom', (env) => work(env.model('project.task')))
    const visible = () => asTom((tasks) => tasks.search([['id', 'in', [parent, hidden, below, seen]]], { order: 'id' }))
    expect(await visible()).toEqual([parent, seen])
    await asTom((tasks) => tasks.write([parent], { project_id: cellar! }))
    expect(await visible()).toEqual([parent, seen])
    const projects = await Promise.all([hidden, below, seen].map(async (id) => (await look(id)).project_id?.[0]))
    expect(projects).toEqual([secret, secret, cellar])
    await expect(asTom((tasks) => tasks.read([hidden], ['name']))).rejects.toMatchObject({ code: 'ACCESS_DENIED' })
  })

  test('do not contain their parent', async () => {
    const parent = await add({ name: 'Outer' })
    const child = await add({ name: 'Inner', parent_id: parent })
    await expect(change(parent, { parent_id: child })).rejects.toMatchObject({ code: 'VALIDATION' })
  })
})

describe('dependencies', () => {
  test('block a task until all of them are closed', async () => {
    const [frame, door] = [await add({ name: 'Frame' }), await add({ name: 'Door' })]
    const paint = await add({ name: 'Paint door', depends_on_ids: [frame, door] })
    expect((await look(paint)).is_blocked).toBe(true)
    await call(frame, 'action_done')
    expect((await look(paint)).is_blocked).toBe(true)
    await call(door, 'action_done')
    expect((await look(paint)).is_blocked).toBe(false)
  })

  test('never contain a circle of any length', async () => {
    const first = await add({ name: 'First' })
    const second = await add({ name: 'Second', depends_on_ids: [first] })
    const third = await add({ name: 'Third', depends_on_ids: [second] })
    const circle = { code: 'VALIDATION', details: { fields: { depends_on_ids: 'The task would wait for itself.' } } }
    await expect(change(first, { depends_on_ids: [[4, third]] })).rejects.toMatchObject(circle)
    await expect(change(first, { depends_on_ids: [[4, first]] })).rejects.toMatchObject(circle)
    const fromTheOtherSide = change(third, { dependent_ids: [[4, first]] })
    await expect(fromTheOtherSide).rejects.toMatchObject({ code: 'VALIDATION' })
  })

  test('added by two users at the same time never make a circle', async () => {
    const [one, two] = [await add({ name: 'One' }), await add({ name: 'Two' })]
    const results = await Promise.allSettled([
      change(one, { depends_on_ids: [[4, two]] }),
      change(two, { depends_on_ids: [[4, one]] }),
    ])
    expect(results.map((result) => result.status).sort()).toEqual(['fulfilled', 'rejected'])
  })
})

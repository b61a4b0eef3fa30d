import { afterAll, beforeAll, expect, test } from 'vitest'
import { readAppSettings, saveAppSettings } from '../../../kernel/admin/app-settings.ts'
import { onchange } from '../../../kernel/orm/onchange/onchange.ts'
import { openPeople, type People } from '../../../test/support/people.ts'
import { enteredHours } from '../models/entered-hours.ts'

let people: People
let task: number

beforeAll(async () => {
  people = await openPeople(['project'])
  await people.hire('ada', ['base.group_system', 'project.group_manager'])
  await people.hire('tom', ['project.group_user'])
  task = await people.as('tom', (env) => env.model('project.task').create({ name: 'Paint the fence' }))
})
afterAll(() => people.leave())

const save = (step: string, least: string) =>
  people.as('ada', (env) =>
    saveAppSettings(env, 'project', { 'project.rounding_minutes': step, 'project.least_minutes': least }),
  )
const enter = (hours: number) =>
  people.as('tom', async (env) => {
    const id = await env.model('project.timesheet').create({ task_id: task, hours })
    const [entry] = await env.model('project.timesheet').read([id], ['hours'])
    return { id, hours: entry!.hours }
  })

test('hours stay as entered without any setting', async () => {
  expect(await enter(0.01)).toMatchObject({ hours: 0.01 })
})

test('hours are rounded up and short entries made longer, when they are entered and when they are changed', async () => {
  await save('15', '30')
  expect(await enter(0.1)).toMatchObject({ hours: 0.5 })
  const { id, hours } = await enter(1.1)
  expect(hours).toBe(1.25)
  const changed = await people.as('tom', async (env) => {
    await env.model('project.timesheet').write([id], { hours: 2.3 })
    return env.model('project.timesheet').read([id], ['hours'])
  })
  expect(changed).toMatchObject([{ hours: 2.5 }])
  const spent = await people.as('tom', (env) => env.model('project.task').read([task], ['spent_hours']))
  expect(spent).toMatchObject([{ spent_hours: 3.01 }])
  await expect(enter(25)).rejects.toMatchObject({ code: 'VALIDATION' })
  await save('', '')
  expect(await enter(1.1)).toMatchObject({ hours: 1.1 })
})

test('the form shows what becomes of the hours', async () => {
  await save('30', '')
  const answer = await people.as('tom', (env) =>
    onchange(env, env.registry.model('project.timesheet')!, { values: { hours: 1.2 }, changed: ['hours'] }),
  )
  expect(answer).toMatchObject({ value: { hours: 1.5 } })
  await save('', '')
})

test.each([
  [0.17, 10, 0, 0.17],
  [0.33, 20, 0, 0.33],
  [0.35, 20, 0, 0.67],
  [23.9, 60, 0, 24],
  [0.1, 0, 20, 0.33],
  [0.1, 15, 20, 0.5],
  [-1, 15, 20, -1],
])('%f hours in steps of %i minutes, at least %i, are %f, and stay so', (hours, step, least, entered) => {
  expect(enteredHours(hours, step, least)).toBe(entered)
  expect(enteredHours(entered, step, least)).toBe(entered)
})

test('the page shows them in the language of its reader', async () => {
  const { apps } = await people.as('ada', (env) => readAppSettings(env.inLanguage('de')))
  expect(apps).toMatchObject([
    {
      addon: 'project',
      settings: [
        { name: 'project.rounding_minutes', label: 'Stunden aufrunden', unit: 'Minuten' },
        { name: 'project.least_minutes', label: 'Kürzester Zeiteintrag', unit: 'Minuten' },
      ],
    },
  ])
})

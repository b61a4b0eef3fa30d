import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Env } from '../../kernel/env.ts'
import { problemsOf } from '../../kernel/errors.ts'
import { parseArch, VIEW_LIMITS } from '../../kernel/view/arch/parse-arch.ts'
import { VIEW_BUDGET } from '../../kernel/view/inherit/edit-tree.ts'
import { extendArch } from '../../kernel/view/inherit/inherit.ts'
import { expectCpuBelow, expectTurnsBelow } from '../support/cpu-time.ts'
import { openPeople, type People } from '../support/people.ts'

let people: People
beforeAll(async () => {
  people = await openPeople(['library'])
})
afterAll(() => people.leave())

const SOME = 1_900
const fields = (attributes: (index: number) => string, count = SOME) =>
  Array.from({ length: count }, (_, index) => `<field name="title" ${attributes(index)}/>`).join('')
const formOf = (content: string) => ({
  name: 'Large',
  model: 'library.book',
  type: 'form',
  arch: `<form>${content}</form>`,
})

/** What is wrong with a view that is saved; it is not kept. */
const save = (values: Readonly<Record<string, unknown>>): Promise<string> =>
  people.as('admin', async (env: Env) => {
    try {
      const id = await env.model('sys.view').create(values as never)
      await env.model('sys.view').unlink([id as unknown as number])
      return ''
    } catch (error) {
      return problemsOf(error as never)['arch'] ?? String(error)
    }
  })

describe('the check of a large view', () => {
  test.each([
    [
      'misspelt widgets',
      fields((index) => `widget="bdage${index}"`),
      `There is no widget "bdage0". Did you mean "badge"?`,
    ],
    [
      'misspelt attributes',
      fields((index) => `grups="a" strin${index}="a" widgt="a" hlp="a"`, 1_200),
      '<field> has no attribute "grups" in a form view. Did you mean "groups"?',
    ],
    ['unknown fields', fields((index) => `invisible="nam${index}"`), 'there is no field nam0'],
  ])('lists fifty %s and says how many more there are', async (_what, content, first) => {
    const lines = (await save(formOf(content))).split('\n')
    expect(lines[0]).toContain(first)
    expect(lines).toHaveLength(51)
    expect(lines[50]).toMatch(/^\d+ more\.$/)
    await expectTurnsBelow(50, () => save(formOf(content)))
  })

  test('lets others have their turn when nothing is wrong', async () => {
    const form = formOf(fields((index) => `invisible="title == 'a${index}' and active"`))
    expect(await save(form)).toBe('')
    await expectTurnsBelow(50, () => save(form))
  })

  test('cuts a sentence that would quote too much', async () => {
    const text = await save(formOf(`<field name="${'x'.repeat(100_000)}"/>`))
    expect(text.length).toBeLessThan(600)
  })

  test('refuses more elements than can be read in one go', async () => {
    const arch = `<form>${'<p/>'.repeat(VIEW_LIMITS.nodes)}</form>`
    expect(await save({ ...formOf(''), arch })).toBe('Line 1: Has more than 2000 elements.')
  })
})

test('extensions that look for many elements end soon', async () => {
  const root = rootOf(`<form>${fields(() => 'readonly="1"', 500)}</form>`)
  const specs = rootOf(
    `<data>${'<xpath expr="//field[@readonly][last()]" position="after"><p/></xpath>'.repeat(500)}</data>`,
  )
  const extend = () => extendArch(root, specs, { left: VIEW_BUDGET })
  expect(extend().problems).toMatchObject([{ reason: 'Costs too much to apply.' }])
  await expectCpuBelow(100, extend)
})

function rootOf(text: string) {
  const parsed = parseArch(text, { addon: '', viewId: 1 })
  if ('problems' in parsed) throw new Error(parsed.problems[0]!.reason)
  return parsed.root
}

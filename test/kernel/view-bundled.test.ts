import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bundledAddons } from '../../addons/index.ts'
import { installModules } from '../../kernel/module/install.ts'
import { VIEW_TYPES } from '../../kernel/view/arch/arch.ts'
import { checkArch } from '../../kernel/view/check/check-arch.ts'
import { checkAllViews } from '../../kernel/view/check/validate.ts'
import { Vocabulary } from '../../kernel/view/check/vocabulary.ts'
import { generateView } from '../../kernel/view/default/view.ts'
import { describeProblem } from '../../kernel/view/inherit/resolve.ts'
import library from '../support/addons/library/addon.ts'
import { bundledTemplate } from '../support/base-database.ts'
import { createDatabase, type TestDatabase, template } from '../support/database.ts'
import { openModules, type TestModules } from '../support/modules.ts'

const ADDONS = [...bundledAddons, library]

const everything = template(
  'every_addon',
  async ({ db }) => {
    const { services, catalogue } = openModules(db, ADDONS)
    await installModules(services, catalogue, ['library'])
  },
  bundledTemplate,
)

let database: TestDatabase
let modules: TestModules

beforeAll(async () => {
  database = await createDatabase(everything)
  modules = openModules(database.db, ADDONS)
})
afterAll(() => database.drop())

test('every view of every addon is right', async () => {
  const problems = await modules.asSystem(async (env) =>
    (await checkAllViews(env, await env.views())).flatMap((view) =>
      view.problems.map((problem) => describeProblem(problem)),
    ),
  )
  expect(problems).toEqual([])
})

describe('generated views', () => {
  test('are right for every model there is', async () => {
    const problems = await modules.asSystem(async (env) => {
      const tables = await env.views()
      const found: string[] = []
      const vocabulary = new Vocabulary(env.registry)
      for (const model of env.registry.models.values()) {
        for (const type of VIEW_TYPES) {
          const root = generateView(env.registry, model.name, type)
          const report = (_node: unknown, reason: string) => found.push(`${model.name} ${type}: ${reason}`)
          const place = { env, tables, type, model, parent: null, vocabulary, report, unknown: report }
          if (root !== null) Array.from(checkArch(place, root))
        }
      }
      return found
    })
    expect(problems).toEqual([])
  })

  test('are offered only where the model has something to show', async () => {
    const { registry } = await modules.holder.latest()
    const kinds = (model: string) => VIEW_TYPES.filter((type) => generateView(registry, model, type) !== null)
    expect(kinds('core.partner')).toEqual(['list', 'form', 'kanban', 'graph', 'pivot', 'map', 'search'])
    expect(kinds('library.shelf')).not.toContain('calendar')
    expect(kinds('library.book')).toContain('calendar')
    expect(kinds('library.book')).not.toContain('gantt')
  })
})

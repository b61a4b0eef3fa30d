import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bundledAddons } from '../../addons/index.ts'
import { installModules } from '../../kernel/module/install.ts'
import { GERMAN } from '../../kernel/model/words-de.ts'
import type { Words } from '../../kernel/speak.ts'
import type { ViewTables } from '../../kernel/view/tables.ts'
import { createDatabase, type TestDatabase, template } from '../support/database.ts'
import { openModules } from '../support/modules.ts'
import { sentencesOf } from '../support/sentences.ts'

const everything = template('bundled_addons', async ({ db }) => {
  const { services, catalogue } = openModules(db, bundledAddons)
  await installModules(services, catalogue, [...catalogue.keys()])
})

let database: TestDatabase
let views: ViewTables

beforeAll(async () => {
  database = await createDatabase(everything)
  views = await openModules(database.db, bundledAddons).asSystem((env) => env.views())
})
afterAll(() => database.drop())

describe.each(bundledAddons.map((addon) => [addon.name, addon] as const))('the addon %s', (_name, addon) => {
  test('dump', async () => {
    const { writeFileSync } = await import('node:fs')
    writeFileSync(`/tmp/i18n/${addon.name}.txt`, [...sentencesOf(addon, views)].join('\n'))
  })
})

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bundledAddons } from '../../addons/index.ts'
import { readFiles } from '../../kernel/data/read.ts'
import { MODEL_WORDS_DE } from '../../kernel/i18n/model-words-de.ts'
import { closestLanguage, mergeWords, translateWords, type Words } from '../../kernel/i18n/translate.ts'
import type { Registry } from '../../kernel/model/registry.ts'
import type { Addon } from '../../kernel/module/addon.ts'
import { namingAction } from '../../kernel/navigation/action.ts'
import type { ViewTables } from '../../kernel/view/tables.ts'
import { bundledTemplate } from '../support/base-database.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { openModules } from '../support/modules.ts'
import { addonSentences, generatedSentences, kernelSentences } from '../support/sentences.ts'

const byName = new Map(bundledAddons.map((addon) => [addon.name, addon]))

/** The addons that an addon depends on, directly or through others. */
const below = ({ depends }: Addon): readonly Addon[] =>
  depends.flatMap((name) => [byName.get(name)!, ...below(byName.get(name)!)])

/** German words that other addons and the kernel bring already. */
const heardBelow = (addon: Addon): Words =>
  mergeWords([{ de: MODEL_WORDS_DE }, ...below(addon).map(({ translations }) => translations)])['de']!

/** Records that addons bring. */
const shipped = (...kinds: readonly ('data' | 'demo')[]) =>
  bundledAddons.flatMap((addon) => kinds.flatMap((kind) => readFiles(addon.name, addon[kind]).records))

/** Records whose names are sentences of their addons. */
const SENTENCES = ['sys.access', 'sys.action', 'sys.menu', 'sys.rule', 'sys.view']

let database: TestDatabase
let views: ViewTables
let generated: ReadonlySet<string>
let registry: Registry

beforeAll(async () => {
  database = await createDatabase(bundledTemplate)
  const modules = openModules(database.db, bundledAddons)
  views = await modules.asSystem((env) => env.views())
  registry = (await modules.holder.latest()).registry
  generated = generatedSentences(registry)
})
afterAll(() => database.drop())

test('every list has singular and plural words for its records', () => {
  const nameless = [...views.actions.values()].filter((action) => {
    const model = registry.model(action.model)
    return model !== undefined && !action.recordNames && !namingAction(views, model)?.recordNames
  })
  expect(nameless.map(({ name, model }) => `${name} of ${model}`)).toEqual([])
})

describe('the German of', () => {
  test('the kernel covers exactly its sentences', () => {
    expect(Object.keys(MODEL_WORDS_DE).sort()).toEqual([...kernelSentences()].sort())
  })

  test.each(bundledAddons.map((addon) => [addon.name, addon] as const))(
    '%s has all it says first, and nothing else',
    (_, addon) => {
      const heard = heardBelow(addon)
      const first = [...addonSentences(addon, views)].filter((sentence) => !Object.hasOwn(heard, sentence))
      expect(Object.keys(addon.translations['de'] ?? {}).sort()).toEqual(first.sort())
    },
  )

  test('records stands beside the English in the data and the examples of their addons', () => {
    const missing = shipped('data', 'demo').flatMap(({ xmlid, model, fields }) =>
      registry
        .model(model)!
        .translated.filter(({ name }) => fields.has(name) && !fields.has(`${name}@de`))
        .map(({ name }) => `${xmlid} ${name}`),
    )
    expect(missing).toEqual([])
  })

  test('records is there for the name of each, unless it is no word or one of the sentences above', () => {
    const models = new Set(shipped('data').map(({ model }) => model))
    const untranslated = [...models].filter((name) => {
      const { displayFields, translated } = registry.model(name)!
      return displayFields.length > 0 && !displayFields.some((each) => translated.some(({ name }) => name === each))
    })
    expect(untranslated.sort()).toEqual(['core.company', 'core.currency', ...SENTENCES].sort())
  })

  test('two models is not the same, so that a list of models names each of them', () => {
    const words = mergeWords([{ de: MODEL_WORDS_DE }, ...bundledAddons.map(({ translations }) => translations)])['de']!
    const labels = [...registry.models.values()].map(({ label }) => words[label])
    expect(labels.filter((label, at) => labels.indexOf(label) !== at)).toEqual([])
  })

  test('later addons wins, whatever the sentence is', () => {
    const first = JSON.parse('{ "de": { "Name": "Name", "__proto__": "Eins" }, "__proto__": { "polluted": "yes" } }')
    const merged = mergeWords([first, { de: { Name: 'Bezeichnung' } }, {}])
    expect(['Name', '__proto__', 'toString'].map((sentence) => translateWords(merged, 'de', sentence))).toEqual([
      'Bezeichnung',
      'Eins',
      'toString',
    ])
    expect({}).not.toHaveProperty('polluted')
  })

  test('two addons is the same where they say the same', () => {
    const entries = bundledAddons.flatMap(({ translations }) => Object.entries(translations['de'] ?? {}))
    const merged = new Map(entries)
    expect(entries.filter(([sentence, german]) => merged.get(sentence) !== german)).toEqual([])
  })

  test('generated views is complete', () => {
    const words = mergeWords([{ de: MODEL_WORDS_DE }, ...bundledAddons.map(({ translations }) => translations)])['de']!
    expect([...generated].filter((sentence) => !Object.hasOwn(words, sentence))).toEqual([])
  })

  test('a sentence keeps its values', () => {
    const slots = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(String).sort()
    const all = [MODEL_WORDS_DE, ...bundledAddons.map(({ translations }) => translations['de'] ?? {})].flatMap(
      Object.entries,
    )
    expect(all.filter(([sentence, german]) => slots(sentence).join() !== slots(german).join())).toEqual([])
  })
})

describe('a sentence', () => {
  const words = mergeWords([
    { pt: { Order: 'Encomenda', Bus: 'Autocarro' }, de: { Order: 'Bestellung' } },
    { 'pt-BR': { Bus: 'Ônibus' }, de: { Order: 'Auftrag' } },
  ])

  test('is said in the region, else in the language, else in English', () => {
    expect(['pt-BR', 'pt_BR', 'pt-PT', 'fr', ''].map((lang) => translateWords(words, lang, 'Bus'))).toEqual([
      'Ônibus',
      'Ônibus',
      'Autocarro',
      'Bus',
      'Bus',
    ])
    expect(translateWords(words, 'pt-BR', 'Order')).toBe('Encomenda')
  })

  test('that two addons translate is said as the later one does', () => {
    expect(translateWords(words, 'de', 'Order')).toBe('Auftrag')
  })

  test('of a word or language named like an inherited property is not found', () => {
    expect(translateWords(words, 'de', 'constructor')).toBe('constructor')
    expect(translateWords(words, 'constructor', 'name')).toBe('name')
  })

  test('is kept in memory by languages there are', () => {
    expect(['de-AT', 'pt-BR', 'pt-PT', 'fr', '__proto__'].map((lang) => closestLanguage(words, lang))).toEqual([
      'de',
      'pt-BR',
      'pt',
      'en',
      'en',
    ])
  })
})

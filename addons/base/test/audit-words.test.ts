import { afterAll, beforeAll, expect, test } from 'vitest'
import { audit } from '../../../kernel/audit.ts'
import { openPeople, type People } from '../../../test/support/people.ts'

let people: People
beforeAll(async () => {
  people = await openPeople()
})
afterAll(() => people.leave())

test('a reader is told models, apps and counts of the trail in words of the own language', async () => {
  await people.asSystem((env) =>
    audit(env, [
      { kind: 'imported', subject: 'core.tag', detail: 'created 2, updated 0, skipped 1' },
      { kind: 'import_undone', subject: 'core.tag', detail: 'removed 2, restored 0' },
      { kind: 'exported', subject: 'gone.model', detail: 'csv · name' },
      { kind: 'module_updated', subject: 'base', detail: '1.2' },
      { kind: 'key_made', subject: 'Bridge', detail: 'Ann · *' },
      { kind: 'user_deleted', subject: 'base' },
    ]),
  )
  const told = (lang: string) =>
    people.as('admin', async (env) => {
      const lines = await env.inLanguage(lang).model('sys.audit').searchRead([], ['about', 'told'], { limit: 6 })
      return lines.toReversed().map(({ about, told: detail }) => [about, detail])
    })
  expect(await told('en')).toEqual([
    ['Partner Tag', '2 created, 0 updated, 1 skipped'],
    ['Partner Tag', '2 removed, 0 restored'],
    ['gone.model', 'csv · name'],
    ['Base', '1.2'],
    ['Bridge', 'Ann · all that the user may'],
    ['base', null],
  ])
  expect((await told('de')).map(([about, detail]) => `${about}: ${detail}`)).toEqual([
    'Partner-Stichwort: 2 angelegt, 0 geändert, 1 übersprungen',
    'Partner-Stichwort: 2 entfernt, 0 wiederhergestellt',
    'gone.model: csv · name',
    'Basis: 1.2',
    'Bridge: Ann · alles, was der Benutzer darf',
    'base: null',
  ])
})

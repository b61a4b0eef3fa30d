import { afterAll, beforeAll, expect, test } from 'vitest'
import { audit, auditRefusal } from '../../../kernel/audit.ts'
import { openPeople, type People } from '../../../test/support/people.ts'

const SCOPE = { models: { 'core.tag': ['search_read', 'read', 'write'], '*': ['*'] }, read_only: true }

let people: People
beforeAll(async () => {
  people = await openPeople()
})
afterAll(() => people.leave())

test('a reader sees models, fields, apps, groups and counts of the trail in their language', async () => {
  await people.asSystem((env) =>
    audit(env, [
      { kind: 'imported', subject: 'core.tag', detail: 'created 2, updated 0, skipped 1' },
      { kind: 'import_undone', subject: 'core.tag', detail: 'removed 2, restored 0' },
      { kind: 'exported', subject: 'gone.model', detail: 'csv · name' },
      { kind: 'module_updated', subject: 'base', detail: '1.2' },
      { kind: 'key_made', subject: 'Bridge', detail: 'Ann · *' },
      { kind: 'user_deleted', subject: 'base' },
      { kind: 'key_revoked', subject: 'Bridge', detail: `Ann · ${JSON.stringify(SCOPE)}` },
      { kind: 'exported', subject: 'core.user', detail: 'xlsx · id 4 · name, company_id/country_id.name, gone' },
      { kind: 'user_added', subject: 'Ann', detail: 'General Administrator, Gone Group · My Company' },
      { kind: 'user_invited', subject: 'Ann', detail: 'link' },
      { kind: 'password_changed', subject: 'Ann', detail: 'link' },
      { kind: 'user_changed', subject: 'Ann', detail: 'name, email' },
      { kind: 'rights_changed', subject: 'General User', detail: 'core.group changed: comment, name@de' },
      { kind: 'rights_changed', subject: 'Own filters', detail: 'sys.rule deleted' },
      { kind: 'settings_changed', subject: 'outgoing mail', detail: 'host, password' },
      { kind: 'settings_changed', subject: 'own.key', detail: 'added' },
    ]),
  )
  const told = (lang: string) =>
    people.as('admin', async (env) => {
      const lines = await env.inLanguage(lang).model('sys.audit').searchRead([], ['about', 'told'], { limit: 16 })
      return lines.toReversed().map(({ about, told: detail }) => [about, detail])
    })
  expect(await told('en')).toEqual([
    ['Contact Tag', '2 created, 0 updated, 1 skipped'],
    ['Contact Tag', '2 removed, 0 restored'],
    ['gone.model', 'CSV · name'],
    ['Base', '1.2'],
    ['Bridge', 'Ann · all that the user may'],
    ['base', null],
    ['Bridge', 'Ann · Contact Tag (reading, changing) · all other models · only reading'],
    ['User', 'XLSX · ID 4 · Name, Default Company / Country / Name, gone'],
    ['Ann', 'General Administrator, Gone Group · My Company'],
    ['Ann', 'shown, not mailed'],
    ['Ann', 'by a link'],
    ['Ann', 'Name, E-mail'],
    ['General User', 'Group changed: Comment, Name (de)'],
    ['Own filters', 'Record Rule deleted'],
    ['Outgoing mail', 'Server, Password'],
    ['own.key', 'added'],
  ])
  expect((await told('de')).map(([about, detail]) => `${about}: ${detail}`)).toEqual([
    'Kontakt-Stichwort: 2 angelegt, 0 geändert, 1 übersprungen',
    'Kontakt-Stichwort: 2 entfernt, 0 wiederhergestellt',
    'gone.model: CSV · name',
    'Basis: 1.2',
    'Bridge: Ann · alles, was der Benutzer darf',
    'base: null',
    'Bridge: Ann · Kontakt-Stichwort (Lesen, Ändern) · alle anderen Modelle · nur Lesen',
    'Benutzer: XLSX · ID 4 · Name, Standardunternehmen / Land / Name, gone',
    'Ann: Allgemein Administrator, Gone Group · My Company',
    'Ann: angezeigt, nicht gesendet',
    'Ann: über einen Link',
    'Ann: Name, E-Mail',
    'Allgemein Benutzer: Gruppe geändert: Kommentar, Name (de)',
    'Eigene Filter: Datensatzregel gelöscht',
    'Ausgehende E-Mail: Server, Passwort',
    'own.key: angelegt',
  ])
})

test('the trail keeps the English names of groups, whatever the language of the acting user', async () => {
  const lines = await people.as('admin', async (env) => {
    const german = env.inLanguage('de')
    const [user] = await german.model('core.group').search([['name', '=', 'Benutzer']])
    const values = { name: 'Bea', login: 'bea', group_ids: [user!] }
    await german.model('core.user').create(values)
    return german.model('sys.audit').searchRead([['subject', '=', 'Bea']], ['detail', 'told'])
  })
  expect(lines.map(({ detail, told }) => [detail, told])).toEqual([
    ['General User · My Company', 'Allgemein Benutzer · My Company'],
  ])
})

test('a refused sign-in with an unknown login is shown as such, without the number of the line', async () => {
  await people.asSystem(({ tx }) => auditRefusal(tx, 'nobody has this', { address: null, requestId: 'refused' }))
  const whoIn = (lang: string) =>
    people.as('admin', async (env) => {
      const lines = await env
        .inLanguage(lang)
        .model('sys.audit')
        .searchRead([['kind', '=', 'sign_in_refused']], ['who'])
      return lines.map(({ who }) => who)
    })
  expect([await whoIn('en'), await whoIn('de')]).toEqual([['Unknown'], ['Unbekannt']])
})

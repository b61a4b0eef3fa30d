import { beforeAll, expect, test } from 'vitest'
import type { WireBootstrap, WireField, WireMenu } from '../../kernel/view/wire.ts'
import type { Agent } from '../support/agent.ts'
import { hire } from '../support/api-database.ts'
import { describeHosts, type Host } from '../support/hosts.ts'
import { openWorkspace } from '../support/workspace.ts'

const GROUPS = ['base.group_system', 'library.group_librarian']

async function bootstrap(agent: Agent, path: string): Promise<WireBootstrap> {
  const text = await (await agent.get(path, { accept: 'text/html' })).text()
  return JSON.parse(/window\.__WC_BOOTSTRAP__=(.*)<\/script>/.exec(text)?.[1] ?? 'null')
}

const namesOf = (menus: readonly WireMenu[]): readonly string[] =>
  menus.flatMap(({ name, children }) => [name, ...namesOf(children)])

const labels = (fields: readonly WireField[]): Readonly<Record<string, string>> =>
  Object.fromEntries(fields.map(({ name, label }) => [name, label]))

/** Two users who differ only in their language, served by one process. */
describeHosts('a service with readers of two languages', (host: Host) => {
  let anna: Agent
  let bert: Agent

  beforeAll(async () => {
    const id = await hire(host.modules, 'anna', GROUPS)
    await hire(host.modules, 'bert', GROUPS)
    await host.modules.asSystem((env) => env.model('core.user').write([id], { lang: 'de-AT' }))
    anna = await host.signIn('anna')
    bert = await host.signIn('bert')
  })

  test('translates menus, applications and settings to the language of the reader', async () => {
    const german = await bootstrap(anna, '/web/settings')
    const english = await bootstrap(bert, '/web/settings')
    expect(namesOf(german.topMenus)).toEqual(
      expect.arrayContaining(['Einstellungen', 'Benutzer & Unternehmen', 'Währungen']),
    )
    expect(namesOf(english.topMenus)).toEqual(expect.arrayContaining(['Settings', 'Users & Companies', 'Currencies']))
    expect(german.apps.find(({ module }) => module === 'base')?.name).toBe('Einstellungen')
    expect(german.settings?.sections.map(({ label }) => label)).toContain('Geplante Aufgaben')
    expect(english.settings?.sections.map(({ label }) => label)).toContain('Scheduled jobs')
    expect((await bootstrap(anna, '/web/apps')).modules?.find(({ name }) => name === 'sale')).toMatchObject({
      title: 'Verkauf',
      summary: 'Angebote und Verkaufsaufträge',
    })
  })

  test('translates tabs, fields, views and filters to the language of the reader', async () => {
    const query = { model: 'core.partner', view_type: 'form', id: 0 }
    const german = await openWorkspace(anna, query)
    const english = await openWorkspace(bert, query)
    expect(german).toMatchObject({ title: 'Kontakt', viewType: 'form' })
    expect(german.viewTabs.map(({ label }) => label)).toEqual(expect.arrayContaining(['Liste', 'Formular']))
    expect(english.viewTabs.map(({ label }) => label)).toEqual(expect.arrayContaining(['List', 'Form']))
    expect(german.breadcrumbs.at(-1)?.label).toBe('Neu')
    expect(labels(german.arch.fields)).toMatchObject({ street: 'Straße', user_id: 'Vertriebsmitarbeiter' })
    expect(labels(english.arch.fields)).toMatchObject({ street: 'Street', user_id: 'Salesperson' })
    expect(JSON.stringify(german.arch.root)).toContain('"string":"Adresse"')
    expect(JSON.stringify(german.arch.root)).toContain('"placeholder":"Für alle Unternehmen"')
    expect(JSON.stringify(english.arch.root)).toContain('"string":"Address"')
    expect(german.search.filters.map(({ label }) => label)).toEqual(expect.arrayContaining(['Personen', 'Archiviert']))
    expect(english.search.filters.map(({ label }) => label)).toEqual(
      expect.arrayContaining(['Individuals', 'Archived']),
    )
  })

  test('does not translate values of records', async () => {
    await anna.rpc('core.tag', 'create', [{ name: 'Open' }])
    const { records } = await openWorkspace(anna, { model: 'core.tag', view_type: 'list' })
    expect(records.map((record) => record['name'])).toContain('Open')
  })

  test('translates validation errors to the language of the caller', async () => {
    const wrong = [{ email: 7, name: null }]
    expect(await anna.rpc('core.partner', 'create', wrong)).toMatchObject({
      error: {
        code: 'VALIDATION',
        details: { fields: { name: 'Name ist ein Pflichtfeld.', email: 'Muss Text sein.' } },
      },
    })
    expect(await bert.rpc('core.partner', 'create', wrong)).toMatchObject({
      error: { code: 'VALIDATION', details: { fields: { name: 'Name is required.', email: 'Must be text.' } } },
    })
    expect(await anna.rpc('core.user', 'create', [{ name: 'x', login: 'bert' }])).toMatchObject({
      error: { details: { fields: { login: 'Diesen Anmeldenamen hat bereits ein anderer Benutzer.' } } },
    })
  })

  test('translates the reason why a new password is refused', async () => {
    const wrong = { current: 'not this one', password: 'seven green bicycles' }
    const problems = async (agent: Agent) =>
      (await agent.submit('/web/account/password', wrong, { accept: 'application/json' })).json()
    expect(await problems(anna)).toMatchObject({
      error: { details: { fields: { current: 'Das Passwort stimmt nicht.' } } },
    })
    expect(await problems(bert)).toMatchObject({
      error: { details: { fields: { current: 'The password is not right.' } } },
    })
  })

  test('translates errors about hidden and missing records to the language of the caller', async () => {
    const id = await hire(host.modules, 'carl', ['base.group_user'])
    await host.modules.asSystem((env) => env.model('core.user').write([id], { lang: 'de' }))
    const carl = await host.signIn('carl')
    const other = (await bootstrap(bert, '/web/home')).user.id
    expect(await carl.rpc('core.user', 'write', [[other], { name: 'x' }])).toMatchObject({
      error: { code: 'ACCESS_DENIED', message: `Eine Regel verwehrt Ihnen den Zugriff: Benutzer ${other}.` },
    })
    expect(await carl.rpc('core.user', 'read', [[999_999], ['name']])).toMatchObject({
      error: { code: 'NOT_FOUND', message: 'Benutzer 999999 gibt es nicht (mehr).' },
    })
  })

  test('translates errors of addons to the language of the caller', async () => {
    const { user } = await bootstrap(anna, '/web/home')
    expect(await anna.rpc('core.user', 'unlink', [[user.id]])).toMatchObject({
      error: { code: 'ACCESS_DENIED', message: 'Das eigene Konto lässt sich nicht löschen.' },
    })
  })
})

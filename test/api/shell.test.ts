import { beforeAll, expect, test } from 'vitest'
import { scriptJson } from '../../kernel/page/html.ts'
import type { WireBootstrap, WireWorkspace } from '../../kernel/view/wire.ts'
import type { Agent } from '../support/agent.ts'
import { describeHost, describeHosts, type Host } from '../support/hosts.ts'
import { furnishLibrary, type LibraryViews } from '../support/library-views.ts'

const PAGE = { accept: 'text/html' }

/** What a page of the client starts from. */
async function bootstrap(agent: Agent, path: string): Promise<WireBootstrap> {
  const response = await agent.get(path, PAGE)
  const text = await response.text()
  expect(response.status, text).toBe(200)
  const json = /<script nonce="[^"]+">window\.__WC_BOOTSTRAP__=(.*)<\/script>/.exec(text)?.[1]
  return JSON.parse(json ?? 'null')
}

describeHosts('the pages of the client', (host: Host) => {
  let views: LibraryViews
  let admin: Agent
  let demo: Agent

  beforeAll(async () => {
    views = await furnishLibrary(host.modules)
    admin = await host.signIn('admin')
    demo = await host.signIn('demo')
  })

  test('start from who the user is and where they can go', async () => {
    const { actions, menus } = views
    const start = await bootstrap(demo, `/web?action=${actions.books}&view_type=list&msg=imported_1&filter=`)
    expect(start).toMatchObject({
      rpcUrl: '/api/rpc',
      wcApiBase: '/web/wc',
      csrfToken: expect.stringMatching(/^[\w-]{64}$/),
      user: { id: expect.any(Number), name: 'demo', login: 'demo', lang: 'en', tz: 'UTC', isAdmin: false },
      company: { id: expect.any(Number), name: 'My Company' },
      companies: [{ id: expect.any(Number), name: 'My Company', active: true }],
      worksIn: 'My Company',
      workspace: { action: String(actions.books), view_type: 'list', filter: '' },
      pinnedApps: [],
      busEnabled: false,
      busSeq: expect.stringMatching(/^[0-9A-F]{8}\.\d+\//),
      toasts: [],
      mapTilesUrl: null,
    })
    expect(start.workspace).not.toHaveProperty('msg')
    expect(start.topMenus.map(({ name }) => name)).toContain('Library')
    expect(start.apps.find(({ menuId }) => menuId === menus.library)?.name).toBe('Library')
    expect(start.sidebarMenus).toEqual([
      {
        id: menus.stock,
        name: 'Stock',
        href: null,
        children: [expect.objectContaining({ name: 'Books' }), expect.objectContaining({ name: 'Authors' })],
      },
    ])
    expect((await bootstrap(admin, '/web')).user.isAdmin).toBe(true)
    expect((await bootstrap(demo, '/web')).sidebarMenus.map(({ name }) => name)).toEqual(['Stock'])
  })

  test('technical menus are listed in developer mode', async () => {
    const sections = async () => {
      const { topMenus } = await bootstrap(admin, '/web/home')
      return topMenus.find(({ name }) => name === 'Settings')!.children.map(({ name }) => name)
    }
    expect(await sections()).not.toContain('Technical')
    const id = await admin.must<number>('sys.preference', 'create', [{ key: 'developer', value: true }])
    expect(await sections()).toContain('Technical')
    await admin.must('sys.preference', 'unlink', [[id]])
  })

  test('an application is counted with the search it opens with', async () => {
    const values = { name: 'Shelf', sequence: 9, action_id: views.actions.available }
    const shelf = await host.modules.asSystem((env) => env.model('sys.menu').create(values))
    const { apps } = await bootstrap(demo, '/web/home')
    await host.modules.asSystem((env) => env.model('sys.menu').unlink([shelf]))
    expect(apps.find(({ menuId }) => menuId === shelf)?.opens?.domain.length).toBeGreaterThan(2)
    for (const { href, opens } of apps) {
      const response = await demo.get(href.replace('/web?', '/web/wc/workspace?'))
      const { actionId, model, domain, searchDomain } = (await response.json()) as WireWorkspace
      expect(opens).toEqual({ actionId, model, domain: [...domain, ...searchDomain] })
    }
  })

  test('the token of a page is good for calls', async () => {
    const { csrfToken } = await bootstrap(demo, '/web/home')
    const caller = demo.with({ 'x-csrf-token': csrfToken })
    expect(await caller.rpc('core.partner', 'create', [{ name: 'By page' }])).toMatchObject({ ok: true })
  })

  test('a visitor is redirected to the sign-in page and afterwards back', async () => {
    for (const path of ['/web', '/web/home', '/web/apps', '/web/settings']) {
      const response = await host.anonymous().fetch(`${path}?q=1`, { redirect: 'manual' }, PAGE)
      expect([response.status, response.headers.get('location')]).toEqual([
        303,
        `/web/login?next=${encodeURIComponent(`${path}?q=1`)}`,
      ])
    }
  })

  test('pinned applications are those the user still sees', async () => {
    await host.modules.asSystem(async (env) => {
      const users = await env.model('core.user').search([['login', '=', 'admin']])
      await env.model('core.user').write(users, { pinned_apps: ['base', 'gone'] })
    })
    expect((await bootstrap(admin, '/web/home')).pinnedApps).toEqual(['base'])
  })

  test("saved searches come with the page: one's own and shared ones", async () => {
    const save = (caller: Agent, values: object) =>
      caller.must('sys.filter', 'create', [{ model: 'core.partner', ...values }])
    await save(demo, { name: 'Mine', is_default: true })
    await save(admin, { name: 'Of somebody else' })
    await save(admin, { name: 'Everybody', user_id: null, domain: [['city', '=', 'Ulm']] })
    const { favourites } = await bootstrap(demo, '/web')
    expect(favourites).toEqual([
      expect.objectContaining({ name: 'Everybody', user_id: null, domain: [['city', '=', 'Ulm']], is_default: false }),
      expect.objectContaining({ name: 'Mine', is_default: true }),
    ])
  })

  test('preferences of a user are sent with their own pages only', async () => {
    const id = await demo.must('sys.preference', 'create', [{ key: 'list/7', value: { order: ['a'] } }])
    expect((await bootstrap(demo, '/web')).preferences).toEqual([{ id, key: 'list/7', value: { order: ['a'] } }])
    expect((await bootstrap(admin, '/web')).preferences).toEqual([])
  })

  test('a wrong parameter is reported by the workspace, not by the page', async () => {
    expect((await bootstrap(demo, '/web?action=nonsense&view_type=x&menu_id=%00')).workspace['action']).toBe('nonsense')
  })

  test('the catalogue of modules is for administrators', async () => {
    const { modules = [] } = await bootstrap(admin, '/web/apps')
    expect(modules.find(({ name }) => name === 'library')).toEqual({
      name: 'library',
      title: 'Library',
      summary: expect.any(String),
      application: true,
      state: 'installed',
      version: '1.0',
      installedVersion: '1.0',
      depends: ['base'],
      neededBy: [],
    })
    expect(modules.find(({ name }) => name === 'library_extra')).toMatchObject({
      state: 'uninstalled',
      installedVersion: null,
    })
    expect(modules.find(({ name }) => name === 'base')?.neededBy).toContain('library')
    expect(await bootstrap(demo, '/web/apps')).not.toHaveProperty('modules')
  })

  test('the settings page counts what there is to set, for administrators', async () => {
    const { settings } = await bootstrap(admin, '/web/settings')
    const users = settings?.sections.find(({ key }) => key === 'users')
    expect(users).toMatchObject({ label: 'Users', href: '/web/settings/users' })
    expect(users?.count).toBeGreaterThanOrEqual(3)
    // The apps that the page of apps shows first, without the parts they are made of.
    const { modules = [] } = await bootstrap(admin, '/web/apps')
    expect(settings?.sections.find(({ key }) => key === 'modules')?.count).toBe(
      modules.filter(({ application, state }) => application && state === 'installed').length,
    )
    expect(settings?.sections.map(({ key }) => key)).toEqual([
      ...[
        'account',
        'companies',
        'users',
        'access',
        'groups',
        'keys',
        'jobs',
        'modules',
        'translations',
        'audit',
        'log',
      ],
    ])
    expect(settings?.mail).toEqual({ enabled: false, waiting: 0 })
    expect((await bootstrap(demo, '/web/settings')).settings).toEqual({
      sections: [
        { key: 'account', label: 'Your account', href: '/web/settings/account', count: null },
        { key: 'keys', label: 'API keys', href: '/web/settings/keys', count: 0 },
      ],
      mail: null,
      failingJobs: 0,
    })
  })

  test('without a built client the page says so', async () => {
    expect(await (await demo.get('/web', PAGE)).text()).toContain('The web client is not built.')
  })
})

describeHost(
  'a built client',
  'process',
  (host: Host) => {
    test('is loaded with the code of the first view and its records asked for at once', async () => {
      const demo = await host.signIn('demo')
      const response = await demo.get('/web?model=library.book&view_type=kanban&q=a%26b', PAGE)
      const text = await response.text()
      const nonce = /'nonce-([^']+)'/.exec(response.headers.get('content-security-policy') ?? '')?.[1]
      expect(response.headers.get('content-security-policy')).toContain("img-src 'self' data: https://tiles.example;")
      expect(text).toContain('<link rel="stylesheet" href="/web/static/main.css">')
      expect(text).toContain(`<script type="module" nonce="${nonce}" src="/web/static/main.js"></script>`)
      expect(text).toContain(`<script type="module" nonce="${nonce}" src="/web/static/library.js"></script>`)
      expect(text).toContain(`<link rel="modulepreload" nonce="${nonce}" href="/web/static/shared.js">`)
      expect(text).toContain(`<link rel="modulepreload" nonce="${nonce}" href="/web/static/kanban.js">`)
      expect(text).toContain(
        '<link rel="preload" as="fetch" crossorigin href="/web/wc/workspace?model=library.book&amp;view_type=kanban&amp;q=a%26b">',
      )
      expect(text).toContain(
        `<script type="importmap" nonce="${nonce}">{"imports":{"#sdk":"/web/static/sdk.js"}}</script>`,
      )
      expect(text).toContain('<div id="app"></div>')
      expect(await bootstrap(demo, '/web/home')).toMatchObject({
        busEnabled: true,
        mapTilesUrl: 'https://tiles.example/{z}',
      })
      expect(await (await demo.get('/web/home', PAGE)).text()).not.toContain('as="fetch"')
    })

    test('a page never runs code from a name that it shows', async () => {
      const users = await host.modules.asSystem((env) => env.model('core.user').search([['login', '=', 'demo']]))
      const name = '</script><script>alert(1)</script><!--\u2028&amp;'
      await host.modules.asSystem((env) => env.model('core.user').write(users, { name }))
      const demo = await host.signIn('demo')
      const text = await (await demo.get('/web/home', PAGE)).text()
      expect(text.match(/<script/g)).toHaveLength(5)
      expect((await bootstrap(demo, '/web/home')).user.name).toBe(name)
    })
  },
  {
    busEnabled: true,
    mapTilesUrl: 'https://tiles.example/{z}',
    clientAssets: {
      styles: ['/web/static/main.css'],
      scripts: ['/web/static/main.js', '/web/static/shared.js'],
      font: '/web/static/inter.woff2',
      icons: '/web/static/icons.svg',
      inline: 'document.documentElement.dataset.theme="dark"',
      page: { styles: [], scripts: [] },
      chunk: (type) => [`/web/static/${type}.js`],
      imports: { '#sdk': '/web/static/sdk.js' },
      addon: (module) => (module === 'library' ? '/web/static/library.js' : null),
    },
  },
)

test('no text in a script ends it, opens one or breaks a line: 500 attempts', () => {
  const parts = [
    '</script>',
    '<!--',
    '-->',
    '<script>',
    '&lt;',
    ']]>',
    '\u2028',
    '\u2029',
    '\\',
    '"',
    "'",
    '</',
    '>',
    '\0',
    '\u007f',
    '\ud800',
  ]
  for (let n = 0; n < 500; n++) {
    const payload = [n, n * 7, n * 31, n * 101].map((k) => parts[k % parts.length]).join(n % 3 === 0 ? ' ' : '')
    const { markup } = scriptJson({ [payload]: payload })
    expect(markup).not.toMatch(/[<>&\u2028\u2029]/)
    expect(JSON.parse(markup)).toEqual({ [payload]: payload })
  }
})

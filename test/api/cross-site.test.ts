import { beforeAll, expect, test } from 'vitest'
import { bundledAddons } from '../../addons/index.ts'
import { routes } from '../../handlers/index.ts'
import type { Agent } from '../support/agent.ts'
import { describeHost } from '../support/hosts.ts'

const ofAddons = bundledAddons.flatMap((addon) => addon.routes)
const read = [...routes, ...ofAddons].filter(({ method }) => method === 'GET')
const ofCallers = read.filter(({ auth }) => auth === 'session' || auth === 'session-or-key')
const addressOf = (path: string) => path.replace(/:\w+/g, '1')
const JSON_ONLY = { accept: 'application/json' }
const PAGE = { accept: 'text/html,application/xhtml+xml', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }
const SITES = ['cross-site', 'same-site']

describeHost(
  'requests that pages of other sites make',
  'process',
  (host) => {
    let admin: Agent
    beforeAll(async () => {
      admin = await host.signIn('admin')
    })

    const outcome = async (agent: Agent, path: string, headers: Readonly<Record<string, string>>) => {
      const { status, headers: answered, body } = await agent.get(addressOf(path), headers)
      await body?.cancel()
      return { status, type: answered.get('content-type') }
    }

    test('get no data from any route with the session of the user', async () => {
      for (const { path } of ofCallers)
        for (const site of SITES) {
          const response = await admin.get(addressOf(path), { ...JSON_ONLY, 'sec-fetch-site': site })
          expect([path, response.status, await response.json()]).toMatchObject([
            path,
            403,
            { error: { code: 'CSRF', details: { reason: 'cross_site' } } },
          ])
        }
    })

    test('get only pages, which open from a link on another site as from one of this', async () => {
      const pages: string[] = []
      for (const { path } of ofCallers) {
        const own = await outcome(admin, path, { ...PAGE, 'sec-fetch-site': 'same-origin' })
        for (const site of SITES) {
          const crossed = await outcome(admin, path, { ...PAGE, 'sec-fetch-site': site })
          if (crossed.status === 403) continue
          expect([path, crossed]).toEqual([path, own])
          expect([path, own.type]).toEqual([path, 'text/html; charset=utf-8'])
          pages.push(path)
        }
      }
      const expected = ofCallers.filter(({ isPage }) => isPage).map(({ path }) => path)
      expect([...new Set(pages)].toSorted()).toEqual(expected.toSorted())
      expect(expected).toEqual(expect.arrayContaining(['/web', '/web/home', '/web/settings/users', '/web/account']))
    })

    test('are those of a program if they bring a key', async () => {
      const key = await host.apiKey('admin')
      for (const { path } of read.filter(({ auth }) => auth === 'session-or-key')) {
        const own = await outcome(key, path, JSON_ONLY)
        expect(own.status).not.toBe(403)
        for (const site of SITES)
          expect([path, await outcome(key, path, { ...JSON_ONLY, 'sec-fetch-site': site })]).toEqual([path, own])
      }
    })

    test('get everything when the browser reports this site, a typed address, or no site', async () => {
      for (const headers of [{ 'sec-fetch-site': 'same-origin' }, { 'sec-fetch-site': 'none' }, {}])
        for (const path of ['/web/settings/users', '/web/settings/account', '/web/account', '/api/openapi.json'])
          expect([path, (await outcome(admin, path, { ...JSON_ONLY, ...headers })).status]).toEqual([path, 200])
    })
  },
  { routes: ofAddons },
)

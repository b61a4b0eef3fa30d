import { basename } from 'node:path'
import * as esbuild from 'esbuild'
import type { Browser, BrowserContext } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { pagePolicy } from '../../../kernel/http/headers.ts'
import { clientOptions } from '../../../runtime/build/build-client.mjs'
import { openPage, sharedBrowser, type WatchedPage } from '../../support/browser.ts'

const ORIGIN = 'http://client.test'
const TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript',
  css: 'text/css',
  svg: 'image/svg+xml',
  woff2: 'font/woff2',
}

/**
 * Builds a script of this folder as the client is built. The function it gives opens a page with that script in a browser, under the
 * content policy of the real pages; `prepare` may change the browser before anything is loaded.
 */
export function usePage(
  script: string,
): (prepare?: (context: BrowserContext) => Promise<unknown>) => Promise<WatchedPage> {
  let browser: Browser
  const files = new Map<string, Uint8Array>()

  beforeAll(async () => {
    const { outputFiles = [] } = await esbuild.build({
      ...clientOptions(esbuild),
      entryPoints: { page: `test/web/components/${script}`, main: 'addons/web/client/styles/main.css' },
      entryNames: '[name]',
    })
    for (const { path, contents } of outputFiles) files.set(basename(path), contents)
    browser = await sharedBrowser()
  })
  afterAll(() => browser?.close())

  return async (prepare) => {
    const watched = await openPage(browser)
    const { page } = watched
    await prepare?.(page.context())
    await page.route(`${ORIGIN}/**`, (route) => {
      const name = basename(new URL(route.request().url()).pathname)
      const body = files.get(name)
      if (body) return route.fulfill({ body: Buffer.from(body), contentType: TYPES[name.split('.').at(-1)!]! })
      return route.fulfill({
        contentType: 'text/html',
        headers: { 'content-security-policy': pagePolicy('n0nce') },
        body: `<!doctype html><html lang="en"><title>Components</title><link rel="icon" href="data:,"><link rel="stylesheet" href="/web/static/main.css">
        <body><div id="app"></div><script type="module" nonce="n0nce" src="/web/static/page.js"></script>`,
      })
    })
    await page.goto(`${ORIGIN}/`)
    await page.getByRole('heading', { name: 'Components' }).waitFor()
    return watched
  }
}

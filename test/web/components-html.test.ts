import type { BrowserContext, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { HTML_CORPUS } from '../kernel/html-corpus.ts'
import type {} from './components/html-page.tsx'
import { usePage } from './components/use-page.ts'

const open = usePage('html-page.tsx')

/** Browsers that have the HTML Sanitizer API, and browsers that have not. */
const BROWSERS: readonly [name: string, prepare: (context: BrowserContext) => Promise<unknown>][] = [
  ['as it is', async () => {}],
  [
    'without setHTML',
    (context) =>
      context.addInitScript(() => {
        delete (Element.prototype as { setHTML?: unknown }).setHTML
      }),
  ],
]

const paste = (page: Page, html: string) =>
  page.locator('#notes').evaluate((editor, text) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/html', text)
    editor.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  }, html)

describe.each(BROWSERS)('HTML in a browser %s, under the policy of the real pages', (_, prepare) => {
  test(`removes all of ${HTML_CORPUS.length} attacks, and the browser reports no violation`, async () => {
    const { page, complaints } = await open(prepare)
    const unclean = await page.evaluate((corpus) => {
      const { cleanFragment, findUnclean, setCleanHtml } = html
      const shown = document.getElementById('shown')!
      return corpus.flatMap((payload) => {
        setCleanHtml(shown, payload)
        return [...findUnclean(shown), ...findUnclean(cleanFragment(payload))].map((what) => [payload, what])
      })
    }, HTML_CORPUS)
    expect(unclean).toEqual([])
    expect(complaints).toEqual([])
    await page.context().close()
  })

  test('what is pasted into an editor is cleaned, kept, and undone', async () => {
    const { page, complaints } = await open(prepare)
    await page.locator('#notes').click()
    await page.keyboard.press('Control+A')
    await paste(
      page,
      '<!--StartFragment--><p style="color:red" onclick="alert(1)">Dear <b onfocus="alert(1)" autofocus>all</b></p><img src=x onerror="alert(1)"><ul><li>one</li></ul><!--EndFragment-->',
    )
    const value = page.locator('output')
    await expect.poll(() => value.textContent()).toBe('<p>Dear <b>all</b></p><ul><li>one</li></ul><p><br></p>')
    await page.keyboard.press('Control+z')
    await expect.poll(() => value.textContent()).toBe('<p>Hello</p>')
    expect(await page.locator('#notes input').count()).toBe(0)
    expect(complaints).toEqual([])
    await page.context().close()
  })

  test('links leave the application beside it, and lead inside it in place', async () => {
    const { page, complaints } = await open(prepare)
    const links = await page.evaluate(() => {
      const shown = document.getElementById('shown')!
      const addresses = [
        'https://a.example',
        '/web/orders',
        '//evil.example',
        '/\\evil.example',
        '/\t/evil.example',
        'tel:+49',
      ]
      html.setCleanHtml(shown, addresses.map((address) => `<a href="${address}" title="x">y</a>`).join(''))
      return [...shown.querySelectorAll('a')].map((link) => [link.getAttribute('href'), link.target, link.title])
    })
    expect(links).toEqual([
      ['https://a.example', '_blank', 'x'],
      ['/web/orders', '', 'x'],
      [null, '', 'x'],
      [null, '', 'x'],
      [null, '', 'x'],
      ['tel:+49', '_blank', 'x'],
    ])
    expect(complaints).toEqual([])
    await page.context().close()
  })
})

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib'
import { afterAll, expect, test } from 'vitest'
import type { AssetPort } from '../../kernel/services.ts'
import { clientAssetsOf } from '../../runtime/client-manifest.ts'
import { describeHost, describeHosts } from '../support/hosts.ts'

const script = 'export {}'
const bytes = new TextEncoder().encode(script)
const compressed = brotliCompressSync(bytes)
const manifest = {
  ...{ build: '1', styles: ['/web/static/main-ABC.css'], scripts: [], font: '', icons: '', inline: '' },
  ...{ page: ['/web/static/page-ABC.js'], chunks: {}, imports: {}, addons: {}, files: ['main-ABC.js'] },
}

const type = 'text/javascript; charset=utf-8'
const assets: AssetPort = {
  find: (name, accepted) =>
    name !== 'main-ABC.js'
      ? null
      : accepted === 'br'
        ? { body: compressed, type, encoding: 'br' }
        : { body: bytes, type, encoding: null },
}

const clientFolder = mkdtempSync(join(tmpdir(), 'modulus-client-'))
const files = {
  'main-ABC.js': bytes,
  'main-ABC.js.br': compressed,
  'old-ABC.js': bytes,
  'manifest.json': JSON.stringify(manifest),
}
for (const [name, content] of Object.entries(files)) writeFileSync(join(clientFolder, name), content)
afterAll(() => rmSync(clientFolder, { recursive: true }))

/** Miniflare decodes bodies and keeps the name of the coding under another one. */
const codingOf = ({ headers }: Response) => headers.get('mf-content-encoding') ?? headers.get('content-encoding')

const client = { assets, clientAssets: clientAssetsOf(manifest), clientFolder }

describeHosts(
  'GET /web/static/:file',
  (host) => {
    const get = (path: string, headers: Record<string, string> = {}) => host.fetch(`/web/static/${path}`, { headers })

    test('serves a built file to any caller, to be cached for ever', async () => {
      const response = await get('main-ABC.js', { 'accept-encoding': 'identity' })
      expect(response.status).toBe(200)
      expect(await response.text()).toBe(script)
      expect(Object.fromEntries(response.headers)).toMatchObject({
        'content-type': type,
        'cache-control': 'public, max-age=31536000, immutable',
        vary: 'accept-encoding',
        'x-content-type-options': 'nosniff',
      })
      expect(codingOf(response)).toBeNull()
    })

    test('answers the coding the caller asks for', async () => {
      const headers = { 'accept-encoding': 'br' }
      const head = await host.fetch('/web/static/main-ABC.js', { method: 'HEAD', headers })
      expect(codingOf(head)).toBe('br')
      const body = new Uint8Array(await (await get('main-ABC.js', headers)).arrayBuffer())
      // Clients that use a socket have decoded the body already.
      const plain = host.kind === 'process' ? brotliDecompressSync(body) : body
      expect(new TextDecoder().decode(plain)).toBe(script)
    })

    test('has no other files', async () => {
      const paths = ['', 'other.js', 'old-ABC.js', 'manifest.json', '..%2f..%2fpackage.json', 'a/b.js']
      const answers = await Promise.all(paths.map((path) => get(path)))
      expect(answers.map(({ status }) => status)).toEqual(paths.map(() => 404))
    })

    test('its pages name its files', async () => {
      const page = await host.anonymous().page('/web/login')
      for (const address of [...manifest.styles, ...manifest.page]) expect(page).toContain(`"${address}"`)
    })
  },
  { process: client, listener: client, workerd: client },
)

describeHost('a host without a built client', 'process', (host) => {
  test('answers 404', async () => {
    expect((await host.fetch('/web/static/main-ABC.js')).status).toBe(404)
  })
})

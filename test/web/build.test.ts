import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import * as esbuild from 'esbuild'
import { beforeAll, describe, expect, test } from 'vitest'
import { LUCIDE_ICONS, OWN_ICONS } from '../../addons/web/client/ui/icon-names.ts'
import { VIEW_TYPES } from '../../kernel/view/arch/arch.ts'
import { build } from '../../runtime/build/build.mjs'
import { stylePlugin } from '../../runtime/build/style-plugin.mjs'
import { openBuiltClient } from '../../runtime/node/addon/assets.ts'
import { environment } from '../support/svc.ts'
import { measure, tooLarge } from './size.mjs'

beforeAll(() => build())

const built = () => openBuiltClient()!
const nameOf = (url: string) => basename(url)

describe('the built client', () => {
  test('keeps to its budgets', () => {
    expect(tooLarge(measure())).toEqual([])
  })

  test('is few files: what all share, an entry and a chunk per view, the controls of forms, and what plans and figures share', () => {
    const { clientAssets } = built()
    expect(clientAssets.scripts).toHaveLength(1)
    // Graph and pivot share other parts than calendar, gantt and map do.
    const most = { list: 3, kanban: 3, form: 4 } as Readonly<Record<string, number>>
    for (const type of VIEW_TYPES) {
      expect(clientAssets.chunk(type).length, type).toBeLessThanOrEqual(most[type] ?? 9)
    }
  })

  test('has the same names wherever it is built, so that machines behind one balancer serve the same files', async () => {
    const namesIn = async (root: string) => {
      mkdirSync(root, { recursive: true })
      writeFileSync(join(root, 'a.ts'), "import './a.css'")
      writeFileSync(join(root, 'a.css'), 'a { color: red }')
      const { outputFiles } = await esbuild.build({
        absWorkingDir: root,
        entryPoints: ['a.ts'],
        entryNames: '[name]-[hash]',
        outdir: 'out',
        bundle: true,
        write: false,
        external: ['#styles'],
        format: 'esm',
        plugins: [stylePlugin(esbuild, root, '#styles')],
      })
      return outputFiles.map(({ path }) => nameOf(path))
    }
    const folder = mkdtempSync(join(tmpdir(), 'modulus-build-'))
    expect(await namesIn(join(folder, 'one'))).toEqual(await namesIn(join(folder, 'deep', 'other')))
    rmSync(folder, { recursive: true })
  })

  test('serves each file in the best coding the browser takes', () => {
    const { assets, clientAssets } = built()
    const sheet = nameOf(clientAssets.styles[0]!)
    const codingFor = (accepted: string | null) => assets.find(sheet, accepted)?.encoding
    expect([
      codingFor('gzip, deflate, br, zstd'),
      codingFor('gzip'),
      codingFor('br;q=0, gzip;q=0.5'),
      codingFor('identity'),
      codingFor(null),
    ]).toEqual(['br', 'gzip', 'gzip', null, null])
    expect(assets.find(sheet, 'br')?.type).toContain('css')
  })

  test('serves nothing but its own files', () => {
    const { assets } = built()
    for (const name of [
      '',
      '.',
      '..',
      'manifest.json',
      '../svc.js',
      '..%2fsvc.js',
      '/etc/passwd',
      '__proto__',
      'constructor',
    ]) {
      expect(assets.find(name, null)).toBeNull()
    }
  })

  test('has the files it names', () => {
    const { assets, clientAssets } = built()
    const { styles, scripts, font, icons, page } = clientAssets
    for (const url of [...styles, ...scripts, font, icons, ...page.styles, ...page.scripts]) {
      expect(url).toMatch(/^\/web\/static\/[\w-]+\.(js|css|svg|woff2)$/)
      expect(assets.find(nameOf(url), null)?.body.length).toBeGreaterThan(0)
    }
    expect([clientAssets.chunk('nothing'), clientAssets.chunk('constructor'), clientAssets.addon('nothing')]).toEqual([
      [],
      [],
      null,
    ])
  })

  test('stops a start when one of its files is missing, and names it', () => {
    const folder = mkdtempSync(join(tmpdir(), 'modulus-lacking-'))
    const program = join(folder, '.build')
    cpSync('package.json', join(folder, 'package.json'))
    for (const name of ['svc.js', 'svc.cjs', 'web/manifest.json']) cpSync(join('.build', name), join(program, name))
    const { files } = JSON.parse(readFileSync('.build/web/manifest.json', 'utf8')) as { files: string[] }
    for (const name of files.slice(1)) cpSync(join('.build/web', name), join(program, 'web', name))
    const { status, stderr } = spawnSync(process.execPath, [join(program, 'svc.js'), 'serve'], {
      env: environment({
        SVC_DB_DSN: 'postgresql://nobody@127.0.0.1:1/none',
        SVC_DATA_DIR: folder,
        SVC_HTTP_PORT: '0',
      }),
      encoding: 'utf8',
    })
    expect([status, stderr]).toEqual([1, `svc: The built client lacks ${files[0]}. Build it again.\n`])
    rmSync(folder, { recursive: true })
  })

  test('has every icon it may draw in its sprite', () => {
    const { assets, clientAssets } = built()
    const sprite = Buffer.from(assets.find(nameOf(clientAssets.icons), null)!.body).toString()
    const missing = [...LUCIDE_ICONS, ...Object.keys(OWN_ICONS)].filter(
      (name) => !sprite.includes(`<symbol id="${name}"`),
    )
    expect(missing).toEqual([])
  })

  test('loads nothing from elsewhere and evaluates no text', () => {
    const { assets, clientAssets } = built()
    const text = clientAssets.scripts.map((url) => Buffer.from(assets.find(nameOf(url), null)!.body).toString()).join()
    expect(text).not.toMatch(/\beval\(|new Function\(/)
    const styles = Buffer.from(assets.find(nameOf(clientAssets.styles[0]!), null)!.body).toString()
    expect(
      [...styles.matchAll(/url\("?([^")]+)/g)].filter(([, url]) => !/^(\/web\/static\/|data:)/.test(url!)),
    ).toEqual([])
  })

  test('is built once for the same sources', async () => {
    expect(await build()).toBe(0)
    expect(existsSync(join(import.meta.dirname, '../../.build/web/manifest.json'))).toBe(true)
    expect(
      JSON.parse(readFileSync(join(import.meta.dirname, '../../.build/web/manifest.json'), 'utf8')).files.length,
    ).toBeGreaterThan(4)
  })
})

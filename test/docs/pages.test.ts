import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { describe, expect, test } from 'vitest'
import { bundledAddons } from '../../addons/index.ts'
import { routes } from '../../handlers/index.ts'
import { ruleVariables } from '../../kernel/access/rules.ts'
import type { Env } from '../../kernel/env.ts'
import { ERROR_STATUS } from '../../kernel/errors.ts'
import { FIELD_TYPES } from '../../kernel/model/field-types.ts'
import type { Registry } from '../../kernel/model/registry.ts'
import { type ListedReason, listReasons, REASONS } from '../../kernel/reasons.ts'
import { METHODS } from '../../kernel/rpc/methods.ts'
import { VIEW_TYPES } from '../../kernel/view/arch/arch.ts'
import { knownAttributes } from '../../kernel/view/arch/known-attributes.ts'
import { CONFIG_KEYS } from '../../runtime/config.ts'
import { blocksOf, readPage, root, sectionOf, wordsOf } from './markdown.ts'
import { commandLine, commands, configRows } from './tables.ts'

const PAGES = [
  'README.md',
  'handlers/README.md',
  'kernel/README.md',
  'addons/README.md',
  'addons/web/client/README.md',
  'runtime/README.md',
  'runtime/deploy/README.md',
  'test/README.md',
]

/** Commands of npm itself. */
const NPM_COMMANDS: ReadonlySet<string> = new Set(['ci', 'install', 'pack'])

/** Prose without fenced blocks. */
const prose = (page: string) => readPage(page).replace(/^```[\s\S]*?^```$/gm, '')

const rowsOf = (markdown: string): string[][] =>
  [...markdown.matchAll(/^\|(.+)\|$/gm)].map((match) => match[1]!.split('|').map((cell) => cell.trim()))

/** Items of a list, each as one line. */
const itemsOf = (markdown: string): string[] =>
  [...markdown.matchAll(/^- .+(?:\n {2}\S.*)*/gm)].map(([item]) => item.replace(/\n {2}/g, ' '))

/** Names in code font in the first column of the tables of a section, and at the head of the items of its lists. */
const namesIn = (markdown: string): string[] =>
  [...rowsOf(markdown).map(([first = '']) => first), ...itemsOf(markdown).map((item) => item.split(':')[0]!)].flatMap(
    (text) => [...text.matchAll(/`([^`]+)`/g)].map((match) => match[1]!),
  )

const sourcesIn = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.m?ts$/.test(file))
    .map((file) => readFileSync(join(root, folder, file), 'utf8'))

/** Member names of an interface in a source file. */
function membersOf(file: string, name: string): string[] {
  const body = new RegExp(`interface ${name}\\b[\\s\\S]*?\\{\\n([\\s\\S]*?)\\n\\}`).exec(readPage(file))![1]!
  return [...body.matchAll(/^ {2}readonly (\w+)\??:/gm)].map((match) => match[1]!)
}

const reasonsIn = (markdown: string): string[][] =>
  rowsOf(markdown).filter((cells) => cells.length === 4 && /^`[a-z_.]+`$/.test(cells[0]!))

const reasonRows = (reasons: readonly ListedReason[]): string[][] =>
  reasons.map(({ reason, code, meaning, example }) => [
    ...[`\`${reason}\``, `\`${code}\``, meaning, example.replaceAll('\n', ' ')],
  ])

describe('every page', () => {
  const anchorOf = (title: string) =>
    title
      .toLowerCase()
      .replace(/[^\w\- ]/g, '')
      .replaceAll(' ', '-')

  test.each(PAGES)('%s has only links that lead somewhere', (page) => {
    const broken = [...prose(page).matchAll(/\]\(([^)\s]+)\)/g)]
      .map((match) => match[1]!)
      .filter((link) => {
        const [path = '', anchor] = link.split('#')
        const target = path === '' ? page : normalize(join(dirname(page), path))
        if (!existsSync(join(root, target))) return true
        const isPage = anchor !== undefined && target.endsWith('.md')
        return isPage && ![...prose(target).matchAll(/^#+ (.+)$/gm)].some(([, title]) => anchorOf(title!) === anchor)
      })
    expect(broken).toEqual([])
  })

  test.each(PAGES)('%s is reached from another page', (page) => {
    const linking = PAGES.filter((other) => other !== page).filter((other) =>
      [...prose(other).matchAll(/\]\(([^)#\s]+)/g)].some(([, link]) => normalize(join(dirname(other), link!)) === page),
    )
    expect(linking).not.toEqual([])
  })

  test('names only commands and options that exist', async () => {
    const all = await commands()
    const lines = PAGES.flatMap((page) => [...readPage(page).matchAll(/npx svc ([^`\n#]+)/g)].map((match) => match[1]!))
    const unknown = lines.filter((line) => {
      const words = wordsOf(line)
      if (words[0]?.startsWith('<') || words[0] === '--help') return false
      const command = all.find(({ name }) => name === words[0] || name === `${words[0]} ${words[1]}`)
      const flags = words.filter((word) => word.startsWith('--')).map((word) => word.slice(2))
      return (
        !command || flags.some((flag) => !['config', 'json', 'help', ...Object.keys(command.options)].includes(flag))
      )
    })
    expect(lines.length).toBeGreaterThan(5)
    expect(unknown).toEqual([])
  })

  test('together they name every route', () => {
    const all = PAGES.map(readPage).join()
    expect(routes.map(({ path }) => path).filter((path) => !all.includes(path))).toEqual([])
  })

  test('names only scripts of package.json', () => {
    const { scripts } = JSON.parse(readPage('package.json'))
    const named = PAGES.flatMap((page) =>
      [...readPage(page).matchAll(/npm (?:run )?([a-z]+)/g)].map((match) => match[1]!),
    )
    const unknown = named.filter((name) => !NPM_COMMANDS.has(name) && !Object.hasOwn(scripts, name))
    expect(unknown).toEqual([])
  })
})

describe('the README', () => {
  test('says what the version of the program brings, and every release before it can be upgraded', () => {
    const { version } = JSON.parse(readPage('package.json'))
    const told = [...sectionOf(readPage('README.md'), 'Changes').matchAll(/^### (\S+)$/gm)].map((match) => match[1])
    expect(told[0]).toBe(version)
    const dumps = readdirSync(join(root, 'test/node/releases')).map((name) => name.replace(/\.dump\.gz$/, ''))
    expect(told.slice(1).filter((release) => !dumps.includes(release!))).toEqual([])
  })

  test('maps every folder', () => {
    const folders = readdirSync(root).filter(
      (name) => !/^\.|^node_modules$/.test(name) && statSync(join(root, name)).isDirectory(),
    )
    expect(namesIn(sectionOf(readPage('README.md'), 'Code map')).sort()).toEqual(
      folders.map((name) => `${name}/`).sort(),
    )
  })
})

describe('the page on running', () => {
  const page = readPage('runtime/README.md')

  test('has every setting with its default and meaning', () => {
    const settings = sectionOf(page, 'Configuration')
    expect(rowsOf(settings).slice(2)).toEqual(configRows())
  })

  test('says which settings have no effect', () => {
    const sources = [...sourcesIn('runtime'), ...sourcesIn('handlers')].join('\n')
    const unused = Object.keys(CONFIG_KEYS).filter((name) => !new RegExp(`config\\.${name}\\b`).test(sources))
    const told = /^Not read by[^:]*:([^.]*)\./m.exec(sectionOf(page, 'Configuration'))?.[1] ?? ''
    expect([...told.matchAll(/`(\w+)`/g)].map((match) => match[1])).toEqual(unused)
  })

  test('has every command with its options', async () => {
    const expected = (await commands()).map(commandLine)
    expect(itemsOf(sectionOf(page, 'Command line')).sort()).toEqual(expected.sort())
  })
})

describe('the page on the kernel', () => {
  const page = readPage('kernel/README.md')

  test('has every method under the unit of work it runs in', () => {
    const told = rowsOf(sectionOf(page, 'Methods and errors')).flatMap(([names = '', work = '']) => {
      const kind = /^`(\w+)`:/.exec(work)?.[1]
      return kind ? [...names.matchAll(/`(\w+)`/g)].map((match) => [match[1], kind]) : []
    })
    expect(Object.fromEntries(told)).toEqual(Object.fromEntries([...METHODS].map(([name, { kind }]) => [name, kind])))
  })

  test('has every error with its status', () => {
    const told = [...sectionOf(page, 'Methods and errors').matchAll(/`([A-Z_]+)`\s*\|\s*(\d{3})/g)]
    expect(Object.fromEntries(told.map(([, code, status]) => [code, Number(status)]))).toEqual(ERROR_STATUS)
  })

  test('has every reason with its code, meaning and example', () => {
    expect(reasonsIn(sectionOf(page, 'Methods and errors'))).toEqual(reasonRows(listReasons(REASONS)))
  })
})

describe('the page on views', () => {
  test('names every attribute there is', () => {
    const code = [...prose('kernel/view/README.md').matchAll(/`([^`]+)`/g)].map((match) => match[1]!).join(' ')
    const told = new Set(code.match(/\w+/g))
    const registry = { viewKinds: new Map() } as unknown as Registry
    const tags = ['field', 'button', 'group', 'page', 'label', 'progressbar', 'filter', 'searchpanel', 'div']
    const known = VIEW_TYPES.flatMap((type) => [
      ...knownAttributes(registry, type, type, true),
      ...tags.flatMap((tag) => [...knownAttributes(registry, type, tag, false)]),
    ])
    expect(known.length).toBeGreaterThan(100)
    expect(known.filter((name) => !told.has(name.replace('decoration-', '')))).toEqual([])
  })
})

describe('the page on an addon', () => {
  const withReasons = bundledAddons.filter(({ reasons }) => listReasons(reasons).length > 0)

  test.each(withReasons)('has every reason of $name with its code, meaning and example', ({ name, reasons }) => {
    const page = readPage(`addons/${name}/README.md`)
    expect(reasonsIn(sectionOf(page, 'Reasons'))).toEqual(reasonRows(listReasons(reasons, `${name}.`)))
  })
})

describe('the page on addons', () => {
  const page = readPage('addons/README.md')
  const fields = sectionOf(page, 'Fields')

  test('has every field type with its column', () => {
    const told = rowsOf(fields).flatMap(([type = '', , column = '']) =>
      type in quoted(FIELD_TYPES) ? [[type.slice(1, -1), /^`(.+)`$/.exec(column)?.[1] ?? null]] : [],
    )
    const columns = Object.values(FIELD_TYPES).map(({ name, sqlType }) => [name, sqlType({})])
    expect(Object.fromEntries(told)).toEqual(Object.fromEntries(columns))
  })

  test('has every option of a field', () => {
    const options = [
      ...membersOf('kernel/model/fields/field.ts', 'FieldOptions'),
      ...membersOf('kernel/model/fields/field.ts', 'TypeOptions'),
    ]
    expect(options.length).toBeGreaterThan(20)
    expect(options.filter((option) => !new RegExp(`\`${option}\\b`).test(fields))).toEqual([])
  })

  test.each([
    ['The manifest', 'kernel/module/addon.ts', 'Addon'],
    ['Models', 'kernel/model/define.ts', 'ModelOptions'],
    ['Behaviour', 'kernel/model/behavior.ts', 'BehaviorOptions'],
  ])('has every key of "%s"', (section, file, name) => {
    expect(namesIn(sectionOf(page, section)).sort()).toEqual(membersOf(file, name).sort())
  })

  test('has every variable of a rule', () => {
    const variables = ruleVariables({ user: { companyIds: [], groupIds: new Set() } } as unknown as Env)
    const access = sectionOf(page, 'Access')
    expect([...variables.keys()].filter((name) => !access.includes(`\`${name}\``))).toEqual([])
  })
})

describe('the page on tests', () => {
  test('has every folder', () => {
    const entries = readdirSync(join(root, 'test'), { withFileTypes: true })
    const expected = entries.flatMap((entry) => (entry.isDirectory() ? [`${entry.name}/`] : [])).sort()
    const told = namesIn(sectionOf(readPage('test/README.md'), 'Tests')).filter((name) => name.endsWith('/'))
    expect(told.sort()).toEqual(expected)
  })

  test('names functions that exist', () => {
    const support = sourcesIn('test/support').join('\n')
    const called = blocksOf(readPage('test/README.md'))
      .flatMap(({ text }) => [...text.matchAll(/(?<![.\w])(create\w+|open\w+|describe\w+)\(/g)])
      .map((match) => match[1]!)
    expect(called.filter((name) => !new RegExp(`export (async )?(function|const) ${name}\\b`).test(support))).toEqual(
      [],
    )
  })
})

/** Names as they stand in the first column. */
function quoted(table: object): Record<string, true> {
  return Object.fromEntries(Object.keys(table).map((name) => [`\`${name}\``, true]))
}

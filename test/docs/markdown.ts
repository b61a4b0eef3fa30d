import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export const root = join(import.meta.dirname, '../..')

export const readPage = (path: string): string => readFileSync(join(root, path), 'utf8')

/** A fenced block of a page. `mark` is the comment right above it: `<!-- file: addons/fleet/addon.ts -->`, `<!-- rpc -->`. */
export interface Block {
  readonly mark: string | null
  readonly language: string
  readonly text: string
}

const FENCE = /(?:^<!-- (.+?) -->\n)?^```(\w*)\n([\s\S]*?)^```$/gm

export const blocksOf = (markdown: string): Block[] =>
  [...markdown.matchAll(FENCE)].map(([, mark = null, language = '', text = '']) => ({ mark, language, text }))

/** Files a page tells to write, by path. */
export const filesOf = (markdown: string): ReadonlyMap<string, string> =>
  new Map(
    blocksOf(markdown).flatMap(({ mark, text }) =>
      mark?.startsWith('file: ') ? [[mark.slice(6), text] as const] : [],
    ),
  )

/** Files a page tells to edit: the list that an `export const` of the block declares gives way to it, imports join the others. */
export const editsOf = (markdown: string, read: (path: string) => string): ReadonlyMap<string, string> =>
  new Map(
    blocksOf(markdown).flatMap(({ mark, text }) =>
      mark?.startsWith('edit: ') ? [[mark.slice(6), applyLines(read(mark.slice(6)), text)] as const] : [],
    ),
  )

function applyLines(file: string, text: string): string {
  const [imports = '', list = ''] = text.trim().split(/^(?=export const )/m)
  const name = /^export const \w+/.exec(list)?.[0] ?? ''
  const start = file.indexOf(name)
  const end = file.indexOf('\n', file.indexOf(']\n', start))
  return `${file.slice(0, start)}${list}${file.slice(end)}`.replace(/\n\n/, `\n${imports.trim()}\n\n`)
}

/** Everything below a heading, up to the next one of the same or a higher level. */
export function sectionOf(markdown: string, title: string): string {
  const prose = markdown.replace(/^```[\s\S]*?^```$/gm, (block) => block.replace(/^#/gm, ' '))
  const heading = [...prose.matchAll(/^(#+) (.+)$/gm)]
  const start = heading.find((match) => match[2] === title)
  if (!start) throw new Error(`there is no section ${title}`)
  const end = heading.find((match) => match.index > start.index && match[1]!.length <= start[1]!.length)
  return markdown.slice(start.index + start[0].length, end?.index)
}

/** Commands of the shell blocks, comments and line continuations resolved. */
export const commandsOf = (markdown: string): string[] =>
  blocksOf(markdown)
    .filter(({ language }) => language === 'sh')
    .flatMap(({ text }) => text.replaceAll('\\\n', ' ').split('\n'))
    .map((line) => line.replace(/\s+#.*$/, '').trim())
    .filter((line) => line !== '' && !line.startsWith('#'))

/** The words of a command as a POSIX shell splits it; quotes group, nothing is expanded. */
export const wordsOf = (command: string): string[] =>
  [...command.matchAll(/(?:[^\s"']+|"[^"]*"|'[^']*')+/g)].map(([word]) => word.replace(/"([^"]*)"|'([^']*)'/g, '$1$2'))

import { parseArgs } from 'node:util'
import { type CliCommand, type Option, UsageError } from '../command.ts'

/** Options every command takes. */
export const COMMON_OPTIONS: Readonly<Record<string, Option>> = {
  config: { type: 'text', value: 'file', help: 'configuration file; default svc.ini' },
  json: { type: 'flag', help: 'answer with one JSON object' },
  help: { type: 'flag', short: 'h', help: 'show this' },
}

export interface ParsedLine {
  readonly names: readonly string[]
  readonly values: Readonly<Record<string, string | boolean | undefined>>
}

/** Moves options before the command behind it, where they are read: `--json key list` becomes `key list --json`. */
export function commandFirst(line: readonly string[]): readonly string[] {
  let end = 0
  while (end < line.length && line[end]!.startsWith('-')) end += takesNext(line[end]!) ? 2 : 1
  return [...line.slice(end), ...line.slice(0, end)]
}

const takesNext = (word: string): boolean => word.startsWith('--') && COMMON_OPTIONS[word.slice(2)]?.type === 'text'

/** Reads the arguments after the name of a command; an undeclared one is a `UsageError`. */
export function parseLine(command: CliCommand, argv: readonly string[]): ParsedLine {
  const declared = Object.entries({ ...COMMON_OPTIONS, ...command.options })
  const options = Object.fromEntries(
    declared.map(([name, { type, short }]) => [
      name,
      { type: type === 'flag' ? ('boolean' as const) : ('string' as const), ...(short !== undefined && { short }) },
    ]),
  )
  const { positionals, values } = parse(argv, options)
  if (values['help']) return { names: positionals, values }
  const { least, most, label } = command.names ?? { least: 0, most: 0, label: '' }
  if (positionals.length > most) throw new UsageError(`Unexpected argument: ${positionals[most]}.`)
  if (positionals.length < least) throw new UsageError(`Missing argument: ${label}.`)
  const missing = declared
    .filter(([name, { required }]) => required && String(values[name] ?? '').trim() === '')
    .map(([name]) => `--${name}`)
  if (missing.length > 0) throw new UsageError(`Missing option${missing.length > 1 ? 's' : ''}: ${missing.join(', ')}.`)
  return { names: positionals, values }
}

function parse(argv: readonly string[], options: Record<string, { type: 'boolean' | 'string'; short?: string }>) {
  try {
    return parseArgs({ args: [...argv], options, allowPositionals: true, strict: true })
  } catch (error) {
    throw new UsageError(explain(error instanceof Error ? error.message : String(error)))
  }
}

/** Messages of Node's parser, reworded. */
const EXPLANATIONS: readonly (readonly [RegExp, (option: string) => string])[] = [
  [/^Unknown option '([^']+)'/, (option) => `Unknown option: ${option}.`],
  [/^Option '(?:-\w, )?(--[\w-]+) <value>' argument missing/, (option) => `${option} needs a value.`],
  [/^Option '(?:-\w, )?(--[\w-]+)' does not take an argument/, (option) => `${option} takes no value.`],
  [
    /^Option '(?:-\w, )?(--[\w-]+)(?: <value>)?' argument is ambiguous/,
    (option) => `${option} needs a value; one that begins with a dash is given as ${option}=-….`,
  ],
]

function explain(message: string): string {
  for (const [pattern, say] of EXPLANATIONS) {
    const option = pattern.exec(message)?.[1]
    if (option !== undefined) return say(option)
  }
  return message
}

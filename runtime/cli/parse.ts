import { parseArgs } from 'node:util'
import { type CliCommand, type Option, UsageError } from './command.ts'

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

/** Reads what follows the name of a command; anything it does not declare is a `UsageError`. */
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
  for (const [name, { required }] of declared) {
    if (required && !values[name]) throw new UsageError(`Missing option: --${name}.`)
  }
  return { names: positionals, values }
}

function parse(argv: readonly string[], options: Record<string, { type: 'boolean' | 'string'; short?: string }>) {
  try {
    return parseArgs({ args: [...argv], options, allowPositionals: true, strict: true })
  } catch (error) {
    throw new UsageError(error instanceof Error ? (error.message.split('. ')[0] ?? '') : String(error))
  }
}

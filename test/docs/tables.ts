import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { CliCommand } from '../../runtime/cli/command.ts'
import { CONFIG_KEYS } from '../../runtime/config.ts'
import { root } from './markdown.ts'

const code = (text: string) => (text === '' ? '' : `\`${text}\``)

/** Rows of the table of settings, from the table the program itself uses. */
export const configRows = (): string[][] =>
  Object.entries(CONFIG_KEYS).map(([name, { fallback, help }]) => [code(name), code(fallback), help])

const isCommand = (value: unknown): value is CliCommand =>
  typeof value === 'object' && value !== null && 'run' in value && 'options' in value

/** Every command of the command line, each from a file of its own. */
export async function commands(): Promise<CliCommand[]> {
  const folder = join(root, 'runtime/cli/command')
  const modules: Record<string, unknown>[] = await Promise.all(
    readdirSync(folder).map((file) => import(join(folder, file))),
  )
  return modules.flatMap((module) => Object.values(module).filter(isCommand))
}

/** The line of a command: its usage, what it does, its options. */
export function commandLine({ name, names, summary, options }: CliCommand): string {
  const usage = names ? `${name} ${names.label}` : name
  const flags = Object.entries(options).map(
    ([option, { required }]) => code(`--${option}`) + (required ? ' (required)' : ''),
  )
  return `- ${code(usage)}: ${summary}.${flags.length === 0 ? '' : ` Options: ${flags.join(', ')}.`}`
}

import type { CliCommand, Option } from '../command.ts'
import { COMMON_OPTIONS } from './parse.ts'

const columns = (rows: readonly (readonly [string, string])[]): string => {
  const width = Math.max(...rows.map(([left]) => left.length))
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join('\n')
}

const optionRow = ([name, { type, short, value, help, required }]: [string, Option]): [string, string] => [
  `--${name}${short === undefined ? '' : `, -${short}`}${type === 'text' ? ` <${value ?? 'text'}>` : ''}`,
  required ? `${help} (required)` : help,
]

export function overview(commands: readonly CliCommand[]): string {
  const rows = commands.map((command): [string, string] => [usage(command), command.summary])
  return `Usage: svc <command> [options]\n\n${columns(rows)}\n\nsvc <command> --help tells the options of a command.`
}

export function commandHelp(command: CliCommand): string {
  const options = Object.entries({ ...command.options, ...COMMON_OPTIONS }).map(optionRow)
  return `Usage: svc ${usage(command)} [options]\n\n${command.summary}\n\n${columns(options)}`
}

/** The help as JSON, for programs. */
export const describeCommand = (command: CliCommand) => ({
  name: command.name,
  usage: usage(command),
  summary: command.summary,
  options: Object.entries({ ...command.options, ...COMMON_OPTIONS }).map(([name, option]) => ({
    name,
    type: option.type,
    required: option.required === true,
    help: option.help,
  })),
})

const usage = ({ name, names }: CliCommand): string => (names ? `${name} ${names.label}` : name)

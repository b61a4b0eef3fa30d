import { readFileSync } from 'node:fs'
import { AppError } from '../kernel/errors.ts'
import { type Command, type Outcome, UsageError } from './cli/command.ts'
import { cronRunCommand } from './cli/cron-run.ts'
import { commandHelp, overview } from './cli/help.ts'
import { initCommand } from './cli/init.ts'
import { keyCreateCommand } from './cli/key-create.ts'
import { keyRevokeCommand } from './cli/key-revoke.ts'
import { migrateCommand } from './cli/migrate.ts'
import { moduleInstallCommand } from './cli/module-install.ts'
import { moduleListCommand } from './cli/module-list.ts'
import { moduleUninstallCommand } from './cli/module-uninstall.ts'
import { moduleUpdateCommand } from './cli/module-update.ts'
import { type ParsedLine, parseLine } from './cli/parse.ts'
import { planCommand } from './cli/plan.ts'
import { serveCommand } from './cli/serve.ts'
import { userCreateCommand } from './cli/user-create.ts'
import { userPasswordCommand } from './cli/user-password.ts'
import { loadConfig } from './config.ts'
import { createLog } from './node/log.ts'

const COMMANDS: readonly Command[] = [
  serveCommand,
  initCommand,
  migrateCommand,
  planCommand,
  moduleListCommand,
  moduleInstallCommand,
  moduleUpdateCommand,
  moduleUninstallCommand,
  userCreateCommand,
  userPasswordCommand,
  keyCreateCommand,
  keyRevokeCommand,
  cronRunCommand,
]

const EXIT = { ok: 0, failed: 1, usage: 2 } as const

const out = (text: string) => process.stdout.write(`${text}\n`)
const err = (text: string) => process.stderr.write(`${text}\n`)

/** Runs one command line. 0: done. 1: it could not be done. 2: the line itself is wrong. */
async function main(argv: readonly string[]): Promise<number> {
  const isJson = argv.includes('--json')
  try {
    const command = findCommand(argv)
    if (command === undefined) {
      out(overview(COMMANDS))
      return EXIT.ok
    }
    const line = parseLine(command, argv.slice(command.name.split(' ').length))
    if (line.values['help']) {
      out(commandHelp(command))
      return EXIT.ok
    }
    const outcome = await runCommand(command, argv, line, isJson)
    if (outcome === undefined) return EXIT.ok
    const ok = outcome.failed !== true
    out(isJson ? JSON.stringify({ ok, ...outcome.json }) : outcome.text)
    return ok ? EXIT.ok : EXIT.failed
  } catch (error) {
    return fail(error, isJson)
  }
}

/** Undefined when the line asks for the list of commands. */
function findCommand(argv: readonly string[]): Command | undefined {
  const [first, second] = argv
  if (first === undefined || first === '--help' || first === 'help') return undefined
  const command = COMMANDS.find(({ name }) => name === first || name === `${first} ${second}`)
  if (command) return command
  const group = COMMANDS.filter(({ name }) => name.startsWith(`${first} `)).map(({ name }) => name)
  if (group.length > 0) throw new UsageError(`Choose one of: ${group.join(', ')}.`)
  throw new UsageError(`Unknown command: ${first}.`)
}

function runCommand(
  command: Command,
  argv: readonly string[],
  { names, values }: ParsedLine,
  isJson: boolean,
): Promise<Outcome | undefined> {
  const { config, warnings } = loadConfig({ argv, env: process.env, readText })
  const log = createLog({
    level: config.log_level === 'info' && command !== serveCommand ? 'warn' : config.log_level,
    format: config.log_format,
    write: err,
    clock: () => new Date(),
  })
  for (const text of warnings) log.line('warn', text)
  return command.run({
    config,
    log,
    names,
    flag: (option) => values[option] === true,
    text: (option) => {
      const value = values[option]
      return typeof value === 'string' ? value : undefined
    },
    print: isJson ? () => {} : out,
  })
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

function fail(error: unknown, isJson: boolean): number {
  const isUsage = error instanceof UsageError
  const message = error instanceof Error ? error.message : String(error)
  if (isJson) {
    const code = error instanceof AppError ? error.code : isUsage ? 'USAGE' : 'FAILED'
    const details = error instanceof AppError ? error.details : {}
    out(JSON.stringify({ ok: false, error: { code, message, details } }))
  } else {
    err(`svc: ${message}${reasonsOf(error)}`)
    if (isUsage) err('Run svc --help to see the commands, or svc <command> --help.')
  }
  return isUsage ? EXIT.usage : EXIT.failed
}

/** Which fields were refused, and what lies behind an error whose own message is for other users. */
function reasonsOf(error: unknown): string {
  if (!(error instanceof AppError)) return ''
  const fields = Object.entries(Object(error.details['fields'])).map(([name, reason]) => `\n  ${name}: ${reason}`)
  return fields.join('') + (error.cause instanceof Error ? `\n  ${error.cause.message}` : '')
}

// A log on a full disk or a closed pipe must not end the process.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
process.setSourceMapsEnabled(true)
process.exitCode = await main(process.argv.slice(2))

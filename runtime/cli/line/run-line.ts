import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { AppError } from '../../../kernel/errors.ts'
import { loadConfig } from '../../config.ts'
import { namePath } from '../../node/file/file-error.ts'
import { createLog, type WriteLine } from '../../node/log/log.ts'
import { printable } from '../../printable.ts'
import { backupCommand } from '../command/backup.ts'
import { cronListCommand } from '../command/cron-list.ts'
import { cronRunCommand } from '../command/cron-run.ts'
import { cronSignatureCommand } from '../command/cron-signature.ts'
import { exportCommand } from '../command/export.ts'
import { importCommand } from '../command/import.ts'
import { initCommand } from '../command/init.ts'
import { keyCreateCommand } from '../command/key-create.ts'
import { keyListCommand } from '../command/key-list.ts'
import { keyRevokeCommand } from '../command/key-revoke.ts'
import { mailListCommand } from '../command/mail-list.ts'
import { mailRetryCommand } from '../command/mail-retry.ts'
import { migrateCommand } from '../command/migrate.ts'
import { moduleInstallCommand } from '../command/module-install.ts'
import { moduleListCommand } from '../command/module-list.ts'
import { moduleUninstallCommand } from '../command/module-uninstall.ts'
import { moduleUpdateCommand } from '../command/module-update.ts'
import { newCommand } from '../command/new.ts'
import { planCommand } from '../command/plan.ts'
import { populateCommand } from '../command/populate.ts'
import { restoreCommand } from '../command/restore.ts'
import { serveCommand } from '../command/serve.ts'
import { userCompaniesCommand } from '../command/user-companies.ts'
import { userCreateCommand } from '../command/user-create.ts'
import { userListCommand } from '../command/user-list.ts'
import { userPasswordCommand } from '../command/user-password.ts'
import { type CliCommand, type CommandResult, UsageError } from '../command.ts'
import { describeError, explainTrouble } from './describe-error.ts'
import { commandHelp, describeCommand, overview } from './help.ts'
import { commandFirst, type ParsedLine, parseLine } from './parse.ts'

const COMMANDS: readonly CliCommand[] = [
  serveCommand,
  initCommand,
  newCommand,
  migrateCommand,
  planCommand,
  backupCommand,
  restoreCommand,
  moduleListCommand,
  moduleInstallCommand,
  moduleUpdateCommand,
  moduleUninstallCommand,
  exportCommand,
  userListCommand,
  userCreateCommand,
  userPasswordCommand,
  userCompaniesCommand,
  keyListCommand,
  keyCreateCommand,
  keyRevokeCommand,
  importCommand,
  populateCommand,
  cronListCommand,
  cronRunCommand,
  cronSignatureCommand,
  mailListCommand,
  mailRetryCommand,
]

const EXIT = { ok: 0, failed: 1, usage: 2 } as const

/** The parts of the process that a command line uses. */
export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly input: Readable & { readonly isTTY?: boolean }
  /** Answers, one call per line of text. */
  readonly out: (text: string) => void
  /** Errors and the log. */
  readonly err: WriteLine
}

/** Runs one command line and returns the exit code. 0: done. 1: failed. 2: the line itself is wrong. */
export async function runLine(line: readonly string[], around: Surroundings): Promise<number> {
  const { out } = around
  const words = commandFirst(line)
  const argv = words[0] === 'help' ? [...words.slice(1), '--help'] : words
  const isJson = argv.includes('--json')
  try {
    if (argv.includes('--version') && argv.every((word) => word.startsWith('-'))) {
      const version = programVersion()
      out(isJson ? JSON.stringify({ ok: true, version }) : version)
      return EXIT.ok
    }
    const command = findCommand(argv)
    if (!('run' in command)) {
      out(isJson ? JSON.stringify({ ok: true, commands: command.map(describeCommand) }) : overview(command))
      return EXIT.ok
    }
    const parsed = parseLine(command, argv.slice(command.name.split(' ').length))
    if (parsed.values['help']) {
      out(isJson ? JSON.stringify({ ok: true, command: describeCommand(command) }) : commandHelp(command))
      return EXIT.ok
    }
    const outcome = await runCommand(command, argv, parsed, around)
    if (outcome === undefined) return EXIT.ok
    const ok = outcome.failed !== true
    out(printable(isJson ? JSON.stringify({ ok, ...outcome.json }) : outcome.text))
    return ok ? EXIT.ok : EXIT.failed
  } catch (error) {
    return fail(error, isJson, around)
  }
}

/** The command of a line, or the commands to list if the line asks for help without naming one. */
function findCommand(argv: readonly string[]): CliCommand | readonly CliCommand[] {
  const [first = '--help', second = ''] = argv.filter((word) => word !== '--json')
  if (isHelp(first)) return COMMANDS
  const command = COMMANDS.find(({ name }) => name === first || name === `${first} ${second}`)
  if (command) return command
  const group = COMMANDS.filter(({ name }) => name.startsWith(`${first} `))
  if (group.length === 0) throw new UsageError(`Unknown command: ${first}.`)
  if (isHelp(second)) return group
  throw new UsageError(`Choose one of: ${group.map(({ name }) => name).join(', ')}.`)
}

const isHelp = (word: string) => word === '--help' || word === '-h'

function runCommand(
  command: CliCommand,
  argv: readonly string[],
  { names, values }: ParsedLine,
  { env, input, err }: Surroundings,
): Promise<CommandResult | undefined> {
  const { config, warnings } = loadConfig({ argv, env, readText })
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
    env,
    input,
    names,
    flag: (option) => values[option] === true,
    text: (option) => {
      const value = values[option]
      return typeof value === 'string' ? value : undefined
    },
  })
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ENOENT' ? undefined : namePath(path)(error)
  }
}

function fail(error: unknown, isJson: boolean, { out, err }: Surroundings): number {
  const isUsage = error instanceof UsageError
  const message = explainTrouble(error) ?? (error instanceof Error ? error.message : String(error))
  if (isJson) {
    const code = error instanceof AppError ? error.code : isUsage ? 'USAGE' : 'FAILED'
    const details = error instanceof AppError ? error.details : {}
    out(JSON.stringify({ ok: false, error: { code, message, details } }))
  } else {
    err(`svc: ${printable(describeError(error))}`)
    if (isUsage) err('Run svc --help to see the commands, or svc <command> --help.')
  }
  return isUsage ? EXIT.usage : EXIT.failed
}

/** Version in the `package.json` above this file, which is one folder up from the built program and three from the source. */
function programVersion(): string {
  const file = ['..', '../../..'].map((up) => join(import.meta.dirname, up, 'package.json')).find(existsSync)
  return file === undefined ? 'unknown' : JSON.parse(readFileSync(file, 'utf8')).version
}

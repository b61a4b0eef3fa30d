import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { AppError } from '../../kernel/errors.ts'
import { confirmImport, type ImportResult, tryImport } from '../../kernel/exchange/import/confirm.ts'
import type { Problem } from '../../kernel/exchange/import/record.ts'
import { stageImport } from '../../kernel/exchange/import/stage.ts'
import { asUser } from './as-user.ts'
import { type Call, type CliCommand, type CommandResult, UsageError } from './command.ts'
import { runAsSystem, withReadyHost } from './with-host.ts'

/** Problems that a person is shown; `--json` has 50. */
const SHOWN_PROBLEMS = 20

export const importCommand: CliCommand = {
  name: 'import',
  summary: 'Import a CSV file or Excel workbook with the rights of a user',
  names: { label: '<file>', least: 1, most: 1 },
  options: {
    model: { type: 'text', value: 'model', required: true, help: 'model of the records, like core.partner' },
    login: { type: 'text', value: 'login', required: true, help: 'whose rights count, and who owns the import' },
    mode: { type: 'text', value: 'mode', help: 'create (default) or upsert' },
    map: { type: 'text', value: 'json', help: 'columns and their fields; default: guessed from the header' },
    'dry-run': { type: 'flag', help: 'say what would be done, and change nothing' },
    'skip-invalid': { type: 'flag', help: 'import the good rows even if others are refused' },
  },
  async run(call) {
    const mode = call.text('mode') ?? 'create'
    if (mode !== 'create' && mode !== 'upsert') throw new UsageError('--mode must be create or upsert.')
    const [path] = call.names as readonly [string]
    const bytes = await readFile(path).catch((error: Error) => {
      throw new UsageError(`${path} cannot be read: ${error.message}`)
    })
    const options = { column_mapping: call.text('map'), skip_invalid: call.flag('skip-invalid') }
    return withReadyHost(call, (host) =>
      runAsSystem(host, async (system) => {
        const env = await asUser(system, call.text('login')!)
        const file = { name: basename(path), bytes: new Uint8Array(bytes) }
        const id = await stageImport(env, { model: call.text('model')!, file, import_mode: mode })
        if (!call.flag('dry-run')) return answer(id, await confirmImport(env, id, options, progressOn(call)))
        return dryAnswer(id, await tryImport(env, id, options, progressOn(call)))
      }),
    )
  },
}

/** On a terminal a line tells how far it is. */
const progressOn =
  ({ input, log }: Call) =>
  (done: number, total: number) => {
    if (input.isTTY) log.line('warn', `${done} of ${total}`)
  }

function answer(id: number, result: ImportResult | AppError): CommandResult {
  if (!(result instanceof AppError)) {
    const { created, updated, skipped } = result
    return {
      json: { id, created, updated, skipped },
      text: `Created ${created}, updated ${updated}, skipped ${skipped}.`,
    }
  }
  const rows = (result.details['rows'] ?? []) as readonly Problem[]
  return {
    json: { id, error: result.message, rows },
    text: [result.message, ...problemLines(rows)].join('\n'),
    failed: true,
  }
}

function dryAnswer(id: number, { preview, problems }: Awaited<ReturnType<typeof tryImport>>): CommandResult {
  const { create, update, unchanged, skip, error } = preview
  const sums = `Would create ${create}, update ${update}, leave ${unchanged} as they are, skip ${skip}; ${error} refused.`
  const json = { id, create, update, unchanged, skip, error, rows: problems }
  return { json, text: [sums, ...problemLines(problems)].join('\n'), failed: error > 0 }
}

const problemLines = (problems: readonly Problem[]): readonly string[] =>
  problems
    .slice(0, SHOWN_PROBLEMS)
    .map(({ row, column, message }) => `Row ${row}${column === null ? '' : `, ${column}`}: ${message}`)

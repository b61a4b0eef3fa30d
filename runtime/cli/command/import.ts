import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import type { Env } from '../../../kernel/env.ts'
import { AppError } from '../../../kernel/errors.ts'
import { type AttemptedImport, readAttempt } from '../../../kernel/exchange/import/attempted.ts'
import {
  ANSWERED_PROBLEMS,
  confirmImport,
  type ImportResult,
  tryImport,
} from '../../../kernel/exchange/import/confirm.ts'
import { stageImport } from '../../../kernel/exchange/import/stage.ts'
import { undoImport } from '../../../kernel/exchange/import/undo.ts'
import type { Preview } from '../../../kernel/exchange/import/write/outcome.ts'
import { undone } from '../../../kernel/work/undoable.ts'
import { asUser } from '../as-user.ts'
import { type Call, type CliCommand, type CommandResult, UsageError } from '../command.ts'
import { columnLines, problemLines, undoLines } from '../import-lines.ts'
import { namingOptions } from '../name-options.ts'
import { readId } from '../read-id.ts'
import { runAsSystem, withReadyHost } from '../with-host.ts'

export const importCommand: CliCommand = {
  name: 'import',
  summary: 'Import a CSV file or Excel workbook with the rights of a user, or undo an import',
  names: { label: '[file]', least: 0, most: 1 },
  options: {
    model: { type: 'text', value: 'model', help: 'model of the records, like core.partner' },
    login: { type: 'text', value: 'login', required: true, help: 'whose rights count, and who owns the import' },
    mode: { type: 'text', value: 'mode', help: 'create (default) or upsert' },
    map: {
      type: 'text',
      value: 'json',
      help: `fields of the columns, like '{"Company": "name", "Land": "country_id"}'; others are left out. Default: guessed`,
    },
    'dry-run': { type: 'flag', help: 'say what would be done, and change nothing' },
    'skip-invalid': { type: 'flag', help: 'import the good rows even if others are refused' },
    undo: { type: 'text', value: 'id', help: 'instead of importing a file, undo the import with this id' },
  },
  async run(call) {
    const undo = call.text('undo')
    if (undo !== undefined) return undoAs(call, readId(undo, 'import'))
    const [path] = call.names
    if (path === undefined) throw new UsageError('Missing argument: <file>.')
    const model = call.text('model')
    if (model === undefined) throw new UsageError('Missing option: --model.')
    const mode = call.text('mode') ?? 'create'
    if (mode !== 'create' && mode !== 'upsert') throw new UsageError('--mode must be create or upsert.')
    const bytes = new Uint8Array(await readFile(path))
    const options = { column_mapping: call.text('map'), skip_invalid: call.flag('skip-invalid') }
    return asOwner(call, async (env) => {
      const stage = () => stageImport(env, { model, file: { name: basename(path), bytes }, import_mode: mode })
      if (call.flag('dry-run'))
        return undone(env, async () => {
          const id = await stage()
          const { preview } = await tryImport(env, id, options, progressOn(call))
          return dryAnswer(preview, await readAttempt(env, id))
        })
      const id = await stage()
      const result = await confirmImport(env, id, options, progressOn(call))
      return answer(id, result, await readAttempt(env, id))
    })
  },
}

/** Runs `work` with the rights of `--login`; an error about a parameter names its option. */
const asOwner = <T>(call: Call, work: (env: Env) => Promise<T>): Promise<T> =>
  withReadyHost(call, (host) => runAsSystem(host, async (env) => work(await asUser(env, call.text('login')!)))).catch(
    namingOptions,
  )

/** On a terminal a line shows the progress. */
const progressOn =
  ({ input, log }: Call) =>
  (done: number, total: number) => {
    if (input.isTTY) log.line('warn', `${done} of ${total}`)
  }

function answer(id: number, result: ImportResult | AppError, attempt: AttemptedImport): CommandResult {
  const { left_out, problems } = attempt
  const rows = problems.slice(0, ANSWERED_PROBLEMS)
  if (result instanceof AppError) {
    const text = [result.message, ...problemLines(problems, Number(result.details['count'])), ...columnLines(attempt)]
    return { json: { id, error: result.message, left_out, rows }, text: text.join('\n'), failed: true }
  }
  const { created, updated, unchanged, refused } = result
  const skipped = result.skipped - unchanged
  const sums = `Created ${created}, updated ${updated}, left ${unchanged} as they are, skipped ${skipped}. Import ${id}.`
  return {
    json: { id, created, updated, unchanged, skipped, left_out, rows },
    text: [sums, ...problemLines(problems, refused), ...columnLines(attempt)].join('\n'),
  }
}

function dryAnswer(preview: Preview, attempt: AttemptedImport): CommandResult {
  const { create, update, unchanged, skip, error } = preview
  const { left_out, problems } = attempt
  const sums = `Would create ${create}, update ${update}, leave ${unchanged} as they are, skip ${skip}; ${error} refused.`
  return {
    json: { create, update, unchanged, skip, error, left_out, rows: problems.slice(0, ANSWERED_PROBLEMS) },
    text: [sums, ...problemLines(problems, error), ...columnLines(attempt)].join('\n'),
    failed: error > 0,
  }
}

async function undoAs(call: Call, id: number): Promise<CommandResult> {
  if (call.names.length > 0) throw new UsageError('--undo takes the id of an import, and no file.')
  const report = await asOwner(call, (env) => undoImport(env, id))
  const { removed, restored, kept, keptCount } = report
  return {
    json: { id, removed, restored, kept, kept_count: keptCount },
    text: [`Removed ${removed}, restored ${restored}, kept ${keptCount}.`, ...undoLines(report)].join('\n'),
  }
}

import { createWriteStream } from 'node:fs'
import { stat, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Env } from '../../../kernel/env.ts'
import { badRequest } from '../../../kernel/errors.ts'
import { exportParams, prepareExport } from '../../../kernel/exchange/export/export-query.ts'
import { type TableFormatName, tableParts } from '../../../kernel/exchange/export/table-formats.ts'
import { parseInput } from '../../../kernel/http/parse.ts'
import { composeExport } from '../../../kernel/report/compose-export.ts'
import { documentSubject, renderContent } from '../../../kernel/report/render-content.ts'
import type { Host } from '../../node/host.ts'
import { asUser } from '../as-user.ts'
import { type Call, type CliCommand, type CommandResult, UsageError } from '../command.ts'
import { namingOptions } from '../name-options.ts'
import { runAsSystem, withReadyHost } from '../with-host.ts'

export const exportCommand: CliCommand = {
  name: 'export',
  summary: 'Write records of a model into a CSV, Excel or PDF file',
  names: { label: '<model>', least: 1, most: 1 },
  options: {
    fields: { type: 'text', value: 'a,b', required: true, help: 'columns: fields or paths such as partner_id.city' },
    out: {
      type: 'text',
      value: 'file',
      required: true,
      help: 'the file to write; .xlsx makes a workbook, .pdf a report',
    },
    domain: { type: 'text', value: 'json', help: `which records, like '[["city", "=", "Bonn"]]'; default all` },
    archived: { type: 'text', value: 'which', help: 'archived records: exclude (default), include or only' },
    order: { type: 'text', value: 'order', help: 'such as "name desc, id"' },
    limit: { type: 'text', value: 'count', help: 'at most this many records' },
    login: { type: 'text', value: 'login', help: 'with the rights of this user; default all rights' },
    labels: { type: 'flag', help: 'labels instead of names of fields' },
    headings: { type: 'text', value: 'json', help: `what the columns are called instead, like '["Name", "Town"]'` },
    totals: { type: 'flag', help: 'a last row with the sums, as a PDF file has anyway' },
  },
  run: (call) => write(call).catch(namingOptions),
}

async function write(call: Call): Promise<CommandResult> {
  const file = call.text('out')!
  if (!/\.(csv|xlsx|pdf)$/.test(file)) throw new UsageError('--out must end in .csv, .xlsx or .pdf.')
  const params = parseInput(exportParams, {
    model: call.names[0],
    fields: call.text('fields'),
    domain: call.text('domain'),
    order: call.text('order'),
    archived: call.text('archived'),
    limit: call.text('limit'),
    labels: call.flag('labels') ? '1' : '0',
    headings: call.text('headings'),
    totals: call.flag('totals') ? '1' : undefined,
  })
  await requireFolder(file)
  const rows = await withReadyHost(call, (host) =>
    runAsReader(host, call, async (env) => {
      if (file.endsWith('.pdf')) {
        const report = await composeExport(env, { ...params, page_size: 'a4' })
        await writeFile(file, await renderContent(env.services, report.content, { subject: documentSubject(env.user) }))
        return report.rows
      }
      const format: TableFormatName = file.endsWith('.csv') ? 'csv' : 'xlsx'
      let count = 0
      const parts = tableParts(env, format, await prepareExport(env, params), params, (n) => {
        count += n
      })
      await pipeline(Readable.from(parts), createWriteStream(file))
      return count
    }),
  )
  return { json: { rows, file }, text: `Rows written to ${file}: ${rows}` }
}

/** Throws before any work if the folder of the file does not exist. */
async function requireFolder(file: string): Promise<void> {
  const folder = dirname(file)
  if (!(await stat(folder).catch(() => null))?.isDirectory())
    throw badRequest('input_invalid', `--out: There is no folder ${folder}.`)
}

/** Runs `work` on one state of the database, with the rights of `--login`, by default with all rights. */
const runAsReader = <T>(host: Host, call: Call, work: (env: Env) => Promise<T>): Promise<T> =>
  runAsSystem(
    host,
    async (env) => {
      const login = call.text('login')
      return work(login === undefined ? env : await asUser(env, login))
    },
    'snapshot',
  )

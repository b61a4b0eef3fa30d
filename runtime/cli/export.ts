import { createWriteStream } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { findPrincipal } from '../../kernel/auth/principal.ts'
import { composeExport } from '../../kernel/document/compose/compose-export.ts'
import { renderContent, subjectOf } from '../../kernel/document/compose/render-content.ts'
import type { Env } from '../../kernel/env.ts'
import { notFound } from '../../kernel/errors.ts'
import { csvParts } from '../../kernel/exchange/export/csv.ts'
import { exportParams, prepareExport } from '../../kernel/exchange/export/export-query.ts'
import { exportRows } from '../../kernel/exchange/export/export-rows.ts'
import { encodeParts } from '../../kernel/exchange/export/stream-export.ts'
import { xlsxParts } from '../../kernel/exchange/export/xlsx.ts'
import { parseInput } from '../../kernel/http/parse.ts'
import { asSystemUser } from '../../kernel/work/system-user.ts'
import { inTransaction } from '../../kernel/work/transaction.ts'
import type { Host } from '../node/host.ts'
import { type Call, type CliCommand, UsageError } from './command.ts'
import { findUser } from './find-user.ts'
import { withReadyHost } from './with-host.ts'

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
    domain: { type: 'text', value: 'json', help: 'which records; default all' },
    order: { type: 'text', value: 'order', help: 'such as "name desc, id"' },
    login: { type: 'text', value: 'login', help: 'with the rights of this user; default all rights' },
    labels: { type: 'flag', help: 'labels instead of names of fields' },
  },
  async run(call) {
    const file = call.text('out')!
    if (!/\.(csv|xlsx|pdf)$/.test(file)) throw new UsageError('--out must end in .csv, .xlsx or .pdf.')
    const params = parseInput(exportParams, {
      model: call.names[0],
      fields: call.text('fields'),
      domain: call.text('domain'),
      order: call.text('order'),
      labels: call.flag('labels') ? '1' : '0',
    })
    const rows = await withReadyHost(call, (host) =>
      runAsReader(host, call, async (env) => {
        if (file.endsWith('.pdf')) {
          const report = await composeExport(env, { ...params, page_size: 'a4' })
          await writeFile(file, await renderContent(env.services, report.content, { subject: subjectOf(env.user) }))
          return report.rows
        }
        const { tree, name, query } = await prepareExport(env, params)
        let count = 0
        const counted = async function* () {
          for await (const page of exportRows(env, tree, query)) {
            count += page.length
            yield page
          }
        }
        const parts = file.endsWith('.csv')
          ? encodeParts(csvParts(env, tree.columns, counted(), params))
          : xlsxParts(env, tree.columns, counted(), { title: name, labels: params.labels })
        await pipeline(Readable.from(parts), createWriteStream(file))
        return count
      }),
    )
    return { json: { rows, file }, text: `Rows written to ${file}: ${rows}` }
  },
}

/** One state of the database, with the rights of `--login` or with all. */
async function runAsReader<T>(host: Host, call: Call, work: (env: Env) => Promise<T>): Promise<T> {
  const { services, holder } = host
  const login = call.text('login')
  const user = await asSystemUser(services.db)
  const options = { services, state: await holder.latest(), user, requestId: 'command', now: services.clock() }
  return inTransaction({ ...options, sudo: true }, 'snapshot', async (env) => {
    if (login === undefined) return work(env)
    const principal = await findPrincipal(env, (await findUser(env, login)).id)
    if (principal === null) throw notFound('record_not_found', `The user ${login} is archived.`)
    return work(env.as(principal))
  })
}

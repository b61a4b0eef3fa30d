import { checkQuery, exportParams, prepareExport } from '../../kernel/exchange/export/export-query.ts'
import { noteExport } from '../../kernel/exchange/export/note-export.ts'
import { readExport, streamExport } from '../../kernel/exchange/export/stream-export.ts'
import { TABLE_FORMATS, type TableFormatName, tableParts } from '../../kernel/exchange/export/table-formats.ts'
import { download } from '../../kernel/http/download.ts'
import { requireSameSite } from '../../kernel/http/same-site.ts'
import { type Route, route } from '../../kernel/serve/route.ts'

const exporting = (format: TableFormatName): Route =>
  route({
    method: 'GET',
    path: `/web/export/${format}`,
    auth: 'session',
    tx: 'none',
    query: exportParams,
    async handle({ caller, query, ...exchange }) {
      requireSameSite(exchange.request.headers)
      // In a transaction that has ended when the audit trail is told: a stream that held its connection while it waited for a
      // second one could wait for others that do the same.
      const { name } = await readExport(exchange, caller, async (env) => {
        const prepared = await prepareExport(env, query)
        await checkQuery(env, prepared)
        return prepared
      })
      await noteExport(exchange, caller, { ...query, format })
      const body = await streamExport(exchange, caller, async (env) =>
        tableParts(env, format, await prepareExport(env, query), query),
      )
      return download(`${name}.${format}`, TABLE_FORMATS[format].mime, body)
    },
  })

/** GET /web/export/csv: records of one model as a CSV file, streamed. */
export const csv = exporting('csv')

/** GET /web/export/xlsx: the same as an Excel workbook. */
export const xlsx = exporting('xlsx')

import { exportParams, prepareExport } from '../../kernel/exchange/export/export-query.ts'
import { noteExport } from '../../kernel/exchange/export/note-export.ts'
import { streamExport } from '../../kernel/exchange/export/stream-export.ts'
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
      const { about, body } = await streamExport(exchange, caller, async (env) => {
        const prepared = await prepareExport(env, query)
        // Before the stream begins: a body that nobody would come to read must not be open when this fails.
        await noteExport(exchange, caller, { ...query, format })
        return { about: `${prepared.name}.${format}`, parts: tableParts(env, format, prepared, query) }
      })
      return download(about, TABLE_FORMATS[format].mime, body)
    },
  })

/** GET /web/export/csv: records of one model as a CSV file, streamed. */
export const csv = exporting('csv')

/** GET /web/export/xlsx: the same as an Excel workbook. */
export const xlsx = exporting('xlsx')

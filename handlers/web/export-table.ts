import type { Caller } from '../../kernel/auth/principal.ts'
import { checkQuery, exportParams, prepareExport } from '../../kernel/exchange/export/export-query.ts'
import { noteExport } from '../../kernel/exchange/export/note-export.ts'
import { cutToPreview, isPreview } from '../../kernel/exchange/export/preview.ts'
import { reporter } from '../../kernel/exchange/export/progress.ts'
import { readExport, streamExport } from '../../kernel/exchange/export/stream-export.ts'
import { TABLE_FORMATS, type TableFormatName, tableParts } from '../../kernel/exchange/export/table-formats.ts'
import { download } from '../../kernel/http/download.ts'
import { type Exchange, type Route, route } from '../../kernel/serve/route.ts'

const exporting = (format: TableFormatName): Route =>
  route({
    method: 'GET',
    path: `/web/export/${format}`,
    auth: 'session',
    tx: 'none',
    query: exportParams,
    async handle({ caller, query, ...exchange }) {
      const isLook = isPreview(query, format)
      const turn = isLook ? 'preview' : 'export'
      // A separate transaction that ends before the audit trail is written: streams that held one connection while waiting for a second
      // could block each other.
      const prepared = await readExport(
        exchange,
        caller,
        async (env) => {
          const checked = await prepareExport(env, query)
          await checkQuery(env, checked)
          return checked
        },
        turn,
      )
      if (!isLook) await noteExport(exchange, caller, { ...query, format })
      const body = await streamExport(
        exchange,
        caller,
        async (env) => {
          const file = await prepareExport(env, query)
          const parts = tableParts(env, format, file, query, countRows(exchange, caller, query.ticket))
          return isLook ? cutToPreview(parts) : parts
        },
        turn,
      )
      return download(`${prepared.name}.${format}`, TABLE_FORMATS[format].mime, body)
    },
  })

/** Reports the number of written rows to the caller's screens, if the request has a ticket. */
function countRows({ services }: Exchange, { user }: Caller, ticket: string | undefined): (rows: number) => void {
  if (ticket === undefined) return () => {}
  const report = reporter(services, user.id, 'export.progress')
  let done = 0
  return (rows) => {
    done += rows
    report({ ticket, done })
  }
}

/** GET /web/export/csv: records of one model as a CSV file, streamed. */
export const csv = exporting('csv')

/** GET /web/export/xlsx: records of one model as an Excel workbook, streamed. */
export const xlsx = exporting('xlsx')

import { exportParams, prepareExport } from '../../kernel/exchange/export/export-query.ts'
import { exportRows } from '../../kernel/exchange/export/export-rows.ts'
import { streamExport } from '../../kernel/exchange/export/stream-export.ts'
import { xlsxParts } from '../../kernel/exchange/export/xlsx.ts'
import { download } from '../../kernel/http/download.ts'
import { requireSameSite } from '../../kernel/http/same-site.ts'
import { route } from '../../kernel/serve/route.ts'

/** GET /web/export/xlsx: records of one model as an Excel workbook, streamed. */
export const get = route({
  method: 'GET',
  path: '/web/export/xlsx',
  auth: 'session',
  tx: 'none',
  query: exportParams,
  async handle({ caller, query, ...exchange }) {
    requireSameSite(exchange.request.headers)
    const { about, body } = await streamExport(exchange, caller, async (env) => {
      const { tree, name, query: records } = await prepareExport(env, query)
      const rows = exportRows(env, tree, records)
      return { about: `${name}.xlsx`, parts: xlsxParts(env, tree.columns, rows, { title: name, labels: query.labels }) }
    })
    return download(about, 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', body)
  },
})

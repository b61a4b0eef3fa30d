import { csvParts } from '../../kernel/exchange/export/csv.ts'
import { exportParams, prepareExport } from '../../kernel/exchange/export/export-query.ts'
import { exportRows } from '../../kernel/exchange/export/export-rows.ts'
import { encodeParts, streamExport } from '../../kernel/exchange/export/stream-export.ts'
import { download } from '../../kernel/http/download.ts'
import { requireSameSite } from '../../kernel/http/same-site.ts'
import { route } from '../../kernel/serve/route.ts'

/** GET /web/export/csv: records of one model as a CSV file, streamed. */
export const get = route({
  method: 'GET',
  path: '/web/export/csv',
  auth: 'session',
  tx: 'none',
  query: exportParams,
  async handle({ caller, query, ...exchange }) {
    requireSameSite(exchange.request.headers)
    const { about, body } = await streamExport(exchange, caller, async (env) => {
      const { tree, name, query: records } = await prepareExport(env, query)
      const text = csvParts(env, tree.columns, exportRows(env, tree, records), query)
      return { about: `${name}.csv`, parts: encodeParts(text) }
    })
    return download(about, 'text/csv; charset=utf-8', body)
  },
})

import { parseColumns } from '../../kernel/exchange/export/columns.ts'
import { csvHeader } from '../../kernel/exchange/export/csv.ts'
import { templateParams } from '../../kernel/exchange/export/export-query.ts'
import { download } from '../../kernel/http/download.ts'
import { requireShownModel } from '../../kernel/navigation/action.ts'
import { route } from '../../kernel/serve/route.ts'

/** GET /web/bulk/template: the header line of a CSV file to fill in. */
export const get = route({
  method: 'GET',
  path: '/web/bulk/template',
  auth: 'session',
  tx: 'read',
  query: templateParams,
  handle({ env, query }) {
    const model = requireShownModel(env, query.model)
    const { columns } = parseColumns(env, model, query.fields)
    const text = (query.bom ? '\ufeff' : '') + csvHeader(columns, query.labels)
    return download(`${env.t(model.label)}.csv`, 'text/csv; charset=utf-8', text)
  },
})

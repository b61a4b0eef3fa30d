import { z } from 'zod'
import { renderExport } from '../../kernel/document/compose/render-export.ts'
import { exportParams } from '../../kernel/exchange/export/export-query.ts'
import { streamExport } from '../../kernel/exchange/export/stream-export.ts'
import { download } from '../../kernel/http/download.ts'
import { requireSameSite } from '../../kernel/http/same-site.ts'
import { route } from '../../kernel/serve/route.ts'

const pageSize = z.preprocess(
  (value) => (value === '' ? undefined : value),
  z.enum(['a4', 'legal', 'letter'], 'Must be a4, legal or letter.').default('a4'),
)

/** GET /web/export/pdf: records of one model as a report, or one of them as a sheet. */
export const get = route({
  method: 'GET',
  path: '/web/export/pdf',
  auth: 'session',
  tx: 'none',
  query: exportParams.extend({ page_size: pageSize }),
  async handle({ caller, query, ...exchange }) {
    requireSameSite(exchange.request.headers)
    const { about, body } = await streamExport(exchange, caller, async (env) => {
      const { name, file } = await renderExport(env, query)
      return { about: `${name}.pdf`, parts: inOnePart(file) }
    })
    return download(about, 'application/pdf', body)
  },
})

async function* inOnePart(file: Uint8Array): AsyncGenerator<Uint8Array> {
  yield file
}

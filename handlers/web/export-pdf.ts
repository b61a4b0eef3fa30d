import { z } from 'zod'
import { renderDocument } from '../../kernel/document/compose/render-document.ts'
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

/** A declared document says itself which fields it shows. */
const query = z.preprocess(
  (params: Readonly<Record<string, unknown>>) => (params['document'] ? { fields: 'id', ...params } : params),
  exportParams
    .extend({ page_size: pageSize, document: z.string().max(100).optional() })
    .refine(({ document, id }) => !document || id !== undefined, {
      path: ['id'],
      message: 'Must be the id of a record.',
    }),
)

/** GET /web/export/pdf: records of one model as a report, one of them as a sheet, or a document about it that an addon declares. */
export const get = route({
  method: 'GET',
  path: '/web/export/pdf',
  auth: 'session',
  tx: 'none',
  query,
  async handle({ caller, query, ...exchange }) {
    requireSameSite(exchange.request.headers)
    const { about, body } = await streamExport(exchange, caller, async (env) => {
      const { model, id, document, page_size } = query
      const { name, file } =
        document && id !== undefined
          ? await renderDocument(env, { model, id, document }, page_size)
          : await renderExport(env, query)
      return { about: `${name}.pdf`, parts: inOnePart(file) }
    })
    return download(about, 'application/pdf', body)
  },
})

async function* inOnePart(file: Uint8Array): AsyncGenerator<Uint8Array> {
  yield file
}

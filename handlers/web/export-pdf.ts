import { z } from 'zod'
import { exportParams } from '../../kernel/exchange/export/export-query.ts'
import { noteExport } from '../../kernel/exchange/export/note-export.ts'
import { readExport } from '../../kernel/exchange/export/stream-export.ts'
import { download } from '../../kernel/http/download.ts'
import { composeExport } from '../../kernel/report/compose-export.ts'
import { documentSubject, renderContent } from '../../kernel/report/render-content.ts'
import { composeDocument } from '../../kernel/report/render-document.ts'
import { route } from '../../kernel/serve/route.ts'

const pageSize = z.preprocess(
  (value) => (value === '' ? undefined : value),
  z.enum(['a4', 'legal', 'letter'], 'Must be a4, legal or letter.').default('a4'),
)

/** The parameters. `fields` is not needed for a declared document, which names its fields itself. */
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
    const { model, id, document, page_size } = query
    const { name, content } = await readExport(exchange, caller, (env) =>
      document && id !== undefined
        ? composeDocument(env, { model, id, document }, page_size)
        : composeExport(env, query),
    )
    const { services, request } = exchange
    const file = await renderContent(services, content, {
      subject: documentSubject(caller.user),
      signal: request.signal,
    })
    await noteExport(exchange, caller, { ...query, format: 'pdf' })
    return download(`${name}.pdf`, 'application/pdf', file)
  },
})

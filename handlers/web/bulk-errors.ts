import { z } from 'zod'
import { rejectedRows } from '../../kernel/exchange/import/batch.ts'
import { recordIdText } from '../../kernel/http/fields.ts'
import { route } from '../../kernel/serve/route.ts'

/** GET /web/bulk/errors: the rows of an import that were refused, as a CSV file with the reason of each. */
export const get = route({
  method: 'GET',
  path: '/web/bulk/errors',
  auth: 'session',
  tx: 'read',
  query: z.object({ id: recordIdText }),
  async handle({ env, query: { id } }) {
    const file = await rejectedRows(env, id)
    const headers = {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="import-${id}-errors.csv"`,
    }
    return { status: 200, kind: 'file', body: file, headers }
  },
})

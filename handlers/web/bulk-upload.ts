import { z } from 'zod'
import { stageImport } from '../../kernel/exchange/import/stage.ts'
import { recordIdText } from '../../kernel/http/fields.ts'
import type { UploadedFile } from '../../kernel/http/multipart.ts'
import { jsonAnswer, redirect } from '../../kernel/http/respond.ts'
import { wantsJson } from '../../kernel/http/wants.ts'
import { pageHref } from '../../kernel/navigation/href.ts'
import { type Route, route, upload } from '../../kernel/serve/route.ts'

const file = z.custom<UploadedFile>((value) => typeof value === 'object' && value !== null, 'The form has no file.')

/** An empty field of a form is none. */
const optional = <S extends z.ZodType>(schema: S) =>
  z.preprocess((value) => (value === '' ? undefined : value), schema.optional())

const staging = (path: Route['path']): Route =>
  route({
    method: 'POST',
    path,
    auth: 'session',
    tx: 'write',
    body: upload(
      z.strictObject({
        model: z.string().max(100),
        file,
        fields: optional(z.string().max(4_000)),
        import_mode: optional(z.enum(['create', 'upsert'])),
        action: optional(recordIdText),
        next: optional(z.string().max(2_000)),
      }),
    ),
    async handle({ request, env, body }) {
      const id = await stageImport(env, body)
      const form = pageHref({ model: 'sys.bulk.import', view_type: 'form', id })
      return wantsJson(request) ? jsonAnswer({ ok: true, id, redirect: form }) : redirect(form)
    },
  })

/** POST /web/bulk/upload: stages a file and leads to the form in which its columns are mapped. */
export const post = staging('/web/bulk/upload')

/** POST /web/import/csv: the same under its older name. */
export const legacy = staging('/web/import/csv')

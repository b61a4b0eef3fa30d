import { z } from 'zod'
import { readUpload, stageUpload } from '../../kernel/exchange/import/stage.ts'
import { recordIdText } from '../../kernel/http/fields.ts'
import type { UploadedFile } from '../../kernel/http/multipart.ts'
import { jsonAnswer, redirect } from '../../kernel/http/respond.ts'
import { wantsJson } from '../../kernel/http/wants.ts'
import { pageHref } from '../../kernel/navigation/href.ts'
import { enterGate } from '../../kernel/serve/limit.ts'
import { type Route, route, upload } from '../../kernel/serve/route.ts'
import { workAs } from '../../kernel/work/unit-of-work.ts'

const file = z.custom<UploadedFile>((value) => typeof value === 'object' && value !== null, 'The form has no file.')

/** An empty field of a form is none. */
const optional = <S extends z.ZodType>(schema: S) =>
  z.preprocess((value) => (value === '' ? undefined : value), schema.optional())

const staging = (path: Route['path']): Route =>
  route({
    method: 'POST',
    path,
    auth: 'session',
    tx: 'none',
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
    async handle({ caller, body, ...exchange }) {
      const { request } = exchange
      const leave = await enterGate(exchange.services.uploadGate, `${caller.user.id}`, request)
      try {
        const read = await workAs(exchange, caller, 'read', (env) => readUpload(env, body))
        const id = await workAs(exchange, caller, 'write', (env) => stageUpload(env, body, read))
        const form = pageHref({ model: 'sys.bulk.import', view_type: 'form', id })
        return wantsJson(request) ? jsonAnswer({ ok: true, id, redirect: form }) : redirect(form)
      } finally {
        leave()
      }
    },
  })

/** POST /web/bulk/upload: stages a file and leads to the form in which its columns are mapped. */
export const post = staging('/web/bulk/upload')

/** POST /web/import/csv: the same under its older name. */
export const legacy = staging('/web/import/csv')

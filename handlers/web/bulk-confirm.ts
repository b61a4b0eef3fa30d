import { z } from 'zod'
import { AppError } from '../../kernel/errors.ts'
import { cancelImport, confirmImport, type ImportResult } from '../../kernel/exchange/import/confirm.ts'
import { afterImport, resultHref } from '../../kernel/exchange/import/result-href.ts'
import { recordIdText } from '../../kernel/http/fields.ts'
import { failure, jsonAnswer, redirect } from '../../kernel/http/respond.ts'
import { wantsJson } from '../../kernel/http/wants.ts'
import { pageHref } from '../../kernel/navigation/href.ts'
import { form, route } from '../../kernel/serve/route.ts'

const MODEL = 'sys.bulk.import'

const mapping = z.union([z.string(), z.record(z.string(), z.unknown())]).optional()

/** POST /web/bulk/confirm: imports a staged file, as `action_confirm_import` does. */
export const confirm = route({
  method: 'POST',
  path: '/web/bulk/confirm',
  auth: 'session',
  tx: 'serial',
  body: form(
    z.object({
      id: recordIdText,
      column_mapping: mapping,
      skip_invalid: z.union([z.string(), z.boolean(), z.number()]).optional(),
    }),
  ),
  async handle({ request, env, body: { id, ...options } }) {
    const result = await confirmImport(env, id, options)
    if (!(result instanceof AppError)) return answer(request, result)
    if (wantsJson(request)) return failure(result)
    return redirect(
      pageHref({ model: MODEL, view_type: 'form', id, msg: `invalid_${String(result.details['count'])}` }),
    )
  },
})

function answer(request: Request, result: ImportResult) {
  const href = resultHref(result)
  const { created, updated, skipped } = result
  return wantsJson(request) ? jsonAnswer({ ok: true, created, updated, skipped, redirect: href }) : redirect(href)
}

/** POST /web/bulk/cancel: discards a staged file. */
export const cancel = route({
  method: 'POST',
  path: '/web/bulk/cancel',
  auth: 'session',
  tx: 'serial',
  body: form(z.object({ id: recordIdText })),
  async handle({ request, env, body: { id } }) {
    const href = afterImport(await cancelImport(env, id))
    return wantsJson(request) ? jsonAnswer({ ok: true, redirect: href }) : redirect(href)
  },
})

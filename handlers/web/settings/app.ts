import { z } from 'zod'
import { ADMINISTRATORS_ONLY } from '../../../kernel/access/administrator.ts'
import { readAppSettings, saveAppSettings } from '../../../kernel/admin/app-settings.ts'
import { recordIdText } from '../../../kernel/http/fields.ts'
import { jsonAnswer } from '../../../kernel/http/respond.ts'
import { wantsJson } from '../../../kernel/http/wants.ts'
import { recordId } from '../../../kernel/rpc/args.ts'
import { form, route } from '../../../kernel/serve/route.ts'
import { shellPage } from '../../../kernel/shell/shell-page.ts'

/** GET /web/settings/app: the page with the settings of the apps; as JSON the declared settings and their values, for all companies or for one. */
export const get = route({
  method: 'GET',
  path: '/web/settings/app',
  auth: 'session',
  forAdministrators: ADMINISTRATORS_ONLY,
  tx: 'read',
  query: z.object({ company: recordIdText.optional() }),
  async handle(context) {
    const { env, request, query } = context
    if (!wantsJson(request)) return shellPage(context, { title: env.t('App settings'), query: null })
    return jsonAnswer({ ok: true, result: await readAppSettings(env, query.company) })
  },
})

/** POST /web/settings/app: stores values of settings of an app; an empty value means the default. */
export const post = route({
  method: 'POST',
  path: '/web/settings/app',
  auth: 'session',
  forAdministrators: ADMINISTRATORS_ONLY,
  tx: 'write',
  body: form(
    z.object({
      app: z.string().max(50),
      values: z.record(z.string().max(100), z.string().max(20_000)),
      company: recordId.optional(),
    }),
  ),
  async handle({ env, body }) {
    await saveAppSettings(env, body.app, body.values, body.company)
    return jsonAnswer({ ok: true, result: true })
  },
})

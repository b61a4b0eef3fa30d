import { z } from 'zod'
import { ADMINISTRATORS_ONLY } from '../../../kernel/access/administrator.ts'
import { accessMatrix, modelFields } from '../../../kernel/admin/access-matrix.ts'
import { recordIdText } from '../../../kernel/http/fields.ts'
import { jsonAnswer } from '../../../kernel/http/respond.ts'
import { wantsJson } from '../../../kernel/http/wants.ts'
import { route } from '../../../kernel/serve/route.ts'
import { shellPage } from '../../../kernel/shell/shell-page.ts'

/** GET /web/settings/access: the page of access rights; as JSON what a user, or a group, may do with each model. */
export const get = route({
  method: 'GET',
  path: '/web/settings/access',
  auth: 'session',
  forAdministrators: ADMINISTRATORS_ONLY,
  tx: 'read',
  isPage: true,
  query: z.object({ user: recordIdText.optional(), group: recordIdText.optional() }),
  async handle(context) {
    const { env, request, query } = context
    if (!wantsJson(request)) return shellPage(context, { title: env.t('Access rights'), query: null })
    const subject = query.group === undefined ? { user: query.user ?? env.user.id } : { group: query.group }
    return jsonAnswer({ ok: true, result: await accessMatrix(env, subject) })
  },
})

/** GET /web/settings/access/fields: the fields of a model for which access can be explained. */
export const fields = route({
  method: 'GET',
  path: '/web/settings/access/fields',
  auth: 'session',
  forAdministrators: ADMINISTRATORS_ONLY,
  tx: 'read',
  query: z.object({ model: z.string() }),
  async handle({ env, query }) {
    return jsonAnswer({ ok: true, result: modelFields(env, query.model) })
  },
})

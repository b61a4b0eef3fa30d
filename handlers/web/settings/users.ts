import { z } from 'zod'
import { ADMINISTRATORS_ONLY } from '../../../kernel/access/administrator.ts'
import { listPeople } from '../../../kernel/admin/people.ts'
import { jsonAnswer } from '../../../kernel/http/respond.ts'
import { wantsJson } from '../../../kernel/http/wants.ts'
import { route } from '../../../kernel/serve/route.ts'
import { shellPage } from '../../../kernel/shell/shell-page.ts'

/** GET /web/settings/users: the page of the user administration; as JSON the users with their roles. */
export const get = route({
  method: 'GET',
  path: '/web/settings/users',
  auth: 'session',
  forAdministrators: ADMINISTRATORS_ONLY,
  tx: 'read',
  isPage: true,
  query: z.object({ q: z.string().max(200).default(''), all: z.literal('1').optional() }),
  async handle(context) {
    const { env, request, query } = context
    if (!wantsJson(request)) return shellPage(context, { title: env.t('Users'), query: null })
    return jsonAnswer({ ok: true, result: await listPeople(env, { text: query.q, isAll: query.all === '1' }) })
  },
})

import { z } from 'zod'
import { ADMINISTRATORS_ONLY } from '../../../kernel/access/administrator.ts'
import { invitePerson } from '../../../kernel/admin/invite.ts'
import { requireFresh } from '../../../kernel/auth/fresh.ts'
import { recordIdText } from '../../../kernel/http/fields.ts'
import { jsonAnswer } from '../../../kernel/http/respond.ts'
import { form, route } from '../../../kernel/serve/route.ts'

const ids = z.array(recordIdText).max(100)

/** POST /web/settings/invite: creates a user and a link to choose the first password, which is mailed or only in this answer. */
export const post = route({
  method: 'POST',
  path: '/web/settings/invite',
  auth: 'session',
  forAdministrators: ADMINISTRATORS_ONLY,
  tx: 'write',
  body: form(
    z.object({
      name: z.string().trim().min(1).max(200),
      email: z.string().trim().min(1).max(254),
      group_ids: ids,
      company_ids: ids.min(1),
      by: z.enum(['mail', 'link']),
    }),
  ),
  async handle({ env, caller, body }) {
    requireFresh(caller)
    return jsonAnswer({ ok: true, result: await invitePerson(env, body) })
  },
})

import { z } from 'zod'
import { accessDenied } from '../../kernel/errors.ts'
import { oneOrMore, recordIdText } from '../../kernel/http/fields.ts'
import { safeNext } from '../../kernel/http/next.ts'
import { jsonAnswer, redirect } from '../../kernel/http/respond.ts'
import { wantsJson } from '../../kernel/http/wants.ts'
import { form, route } from '../../kernel/serve/route.ts'

/** POST /web/company/switch: the companies this session works in; the first named is the current one. */
export const post = route({
  method: 'POST',
  path: '/web/company/switch',
  auth: 'session',
  tx: 'none',
  body: form(z.object({ company_id: oneOrMore(recordIdText), next: z.string().optional() })),
  async handle({ services, request, caller, body }) {
    const companyIds = [...new Set(body.company_id)]
    if (companyIds.length === 0 || companyIds.some((id) => !caller.user.allowedCompanyIds.includes(id))) {
      throw accessDenied('company_access', 'You do not belong to this company.')
    }
    if (caller.credential.kind === 'session') {
      await services.db
        .updateTable('sys_session')
        .set({ company_ids: companyIds, company_id: companyIds[0]! })
        .where('public_id', '=', caller.credential.sessionId)
        .execute()
    }
    const next = safeNext(body.next)
    return wantsJson(request) ? jsonAnswer({ ok: true, company_id: companyIds[0], redirect: next }) : redirect(next)
  },
})

import { z } from 'zod'
import { audit } from '../../kernel/audit.ts'
import { endSession, endSessions } from '../../kernel/auth/session.ts'
import { dropCookie, SESSION_COOKIE } from '../../kernel/http/cookie.ts'
import { jsonAnswer, redirect } from '../../kernel/http/respond.ts'
import { wantsJson } from '../../kernel/http/wants.ts'
import { form, route } from '../../kernel/serve/route.ts'

/** POST /web/account/sessions: ends one session of the user, or all of them including the current one. */
export const post = route({
  method: 'POST',
  path: '/web/account/sessions',
  auth: 'session',
  tx: 'write',
  body: form(z.object({ session: z.union([z.literal('all'), z.uuid()]) })),
  async handle({ env, services, request, caller, body }) {
    const userId = caller.user.id
    if (body.session !== 'all') {
      await endSession(env.tx, userId, body.session)
      return wantsJson(request) ? jsonAnswer({ ok: true }) : redirect('/web/account')
    }
    await endSessions(env.tx, userId)
    await audit(env, [{ kind: 'sign_out_all', subject: caller.user.name }])
    const cookies = [dropCookie(services, SESSION_COOKIE)]
    return wantsJson(request) ? { ...jsonAnswer({ ok: true }), cookies } : redirect('/web/login', cookies)
  },
})

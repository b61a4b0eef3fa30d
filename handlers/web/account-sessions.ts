import { z } from 'zod'
import { endSession, endSessions } from '../../kernel/auth/session.ts'
import { dropCookie, SESSION_COOKIE } from '../../kernel/http/cookie.ts'
import { wantsPage } from '../../kernel/http/incoming.ts'
import { json, redirect } from '../../kernel/http/respond.ts'
import { form, route } from '../../kernel/http/route.ts'

/** POST /web/account/sessions: ends one session of the user, or all of them, this one too. */
export const post = route({
  method: 'POST',
  path: '/web/account/sessions',
  auth: 'session',
  tx: 'none',
  body: form(z.object({ session: z.union([z.literal('all'), z.uuid()]) })),
  async handle({ services, request, caller, body }) {
    const userId = caller.user.id
    if (body.session !== 'all') {
      await endSession(services.db, userId, body.session)
      return wantsPage(request) ? redirect('/web/account') : json({ ok: true })
    }
    await endSessions(services.db, userId)
    const cookies = [dropCookie(services, SESSION_COOKIE)]
    return wantsPage(request) ? redirect('/web/login', cookies) : { ...json({ ok: true }), cookies }
  },
})

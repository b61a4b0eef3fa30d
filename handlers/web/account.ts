import { listSessions } from '../../kernel/auth/session.ts'
import { jsonAnswer } from '../../kernel/http/respond.ts'
import { wantsJson } from '../../kernel/http/wants.ts'
import { route } from '../../kernel/serve/route.ts'
import { accountPage } from '../page/account-page.ts'

/** GET /web/account: the password form and the open sessions of the signed-in user. */
export const get = route({
  method: 'GET',
  path: '/web/account',
  auth: 'session',
  tx: 'none',
  isPage: true,
  async handle(context) {
    const { services, request, caller } = context
    if (!wantsJson(request)) return accountPage(context)
    const { credential, user } = caller
    const current = credential.kind === 'session' ? credential.sessionId : ''
    const sessions = await listSessions(services, services.db, user.id)
    return jsonAnswer({
      ok: true,
      sessions: sessions.map((session) => ({ ...session, current: session.public_id === current })),
    })
  },
})

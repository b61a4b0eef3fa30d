import { findSessionCaller } from '../../kernel/auth/principal.ts'
import { endSession } from '../../kernel/auth/session.ts'
import { dropCookie, readCookie, SESSION_COOKIE } from '../../kernel/http/cookie.ts'
import { redirect } from '../../kernel/http/respond.ts'
import { route } from '../../kernel/http/route.ts'
import { html } from '../../kernel/page/html.ts'
import { boxPage, speakTo } from '../../kernel/page/layout.ts'

/** GET /web/logout: ends the session. A link or picture on another site only gets a page that asks. */
export const get = route({
  method: 'GET',
  path: '/web/logout',
  auth: 'none',
  tx: 'none',
  async handle(context) {
    const { services, request } = context
    const site = request.headers.get('sec-fetch-site')
    if (site !== null && site !== 'same-origin' && site !== 'none') {
      const t = speakTo(context)
      return boxPage(context, {
        title: t('Sign out?'),
        body: html`<p class="t2">${t('Another site asked to sign you out.')}</p>
<div class="hs"><a class="btn primary lg" href="/web/logout">${t('Sign out')}</a><a class="btn lg" href="/web/home">${t('Stay signed in')}</a></div>`,
      })
    }
    const token = readCookie(request.headers.get('cookie'), SESSION_COOKIE)
    const caller = token === null ? null : await findSessionCaller(services, token)
    if (caller?.credential.kind === 'session') {
      await endSession(services.db, caller.user.id, caller.credential.sessionId)
    }
    return redirect('/web/login', [dropCookie(services, SESSION_COOKIE)])
  },
})

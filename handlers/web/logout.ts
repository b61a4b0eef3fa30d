import { findSessionCaller } from '../../kernel/auth/principal.ts'
import { endSession } from '../../kernel/auth/session.ts'
import { dropCookie, readCookie, SESSION_COOKIE } from '../../kernel/http/cookie.ts'
import { redirect } from '../../kernel/http/respond.ts'
import { isPrefetch } from '../../kernel/http/wants.ts'
import { html } from '../../kernel/page/html.ts'
import { boxPage, translatorFor } from '../../kernel/page/layout.ts'
import { route } from '../../kernel/serve/route.ts'

/** GET /web/logout: ends the session. Requests from other sites, images and prefetches only get a page that asks. */
export const get = route({
  method: 'GET',
  path: '/web/logout',
  auth: 'none',
  tx: 'none',
  async handle(context) {
    const { services, request } = context
    if (!isMeant(request)) {
      const t = translatorFor(context)
      return boxPage(context, {
        title: t('Sign out?'),
        body: html`<p class="t2">${t('Another page asked to sign you out.')}</p>
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

/**
 * Whether the user navigated here from our own pages, or one of our scripts sent the request. Clients without these headers
 * are not browsers.
 */
function isMeant({ method, headers }: Request): boolean {
  const site = headers.get('sec-fetch-site') ?? 'none'
  const use = headers.get('sec-fetch-dest') ?? 'document'
  const isOurs = site === 'same-origin' || site === 'none'
  return method === 'GET' && isOurs && (use === 'document' || use === 'empty') && !isPrefetch(headers)
}

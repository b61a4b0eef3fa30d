import { issueCsrfToken } from '../../kernel/auth/csrf.ts'
import { listSessions, type OpenSession } from '../../kernel/auth/session.ts'
import { wantsPage } from '../../kernel/http/incoming.ts'
import { json } from '../../kernel/http/respond.ts'
import { route } from '../../kernel/http/route.ts'
import { deviceOf } from '../../kernel/page/device.ts'
import { type Html, html } from '../../kernel/page/html.ts'
import { icon } from '../../kernel/page/icon.ts'
import { boxPage, speakTo } from '../../kernel/page/layout.ts'
import { newPasswordField } from '../../kernel/page/password-field.ts'
import type { Speak } from '../../kernel/page/words.ts'

/** GET /web/account: the password and the open sessions of whoever is signed in. */
export const get = route({
  method: 'GET',
  path: '/web/account',
  auth: 'session',
  tx: 'read',
  async handle(context) {
    const { services, request, caller, env } = context
    const { credential, user } = caller
    const sessions = await listSessions(services, env.tx, user.id)
    const current = credential.kind === 'session' ? credential.sessionId : ''
    if (!wantsPage(request)) {
      return json({
        ok: true,
        sessions: sessions.map((session) => ({ ...session, current: session.public_id === current })),
      })
    }
    const t = speakTo(context)
    const token = credential.kind === 'session' ? issueCsrfToken(credential.csrfSecret, services.random) : ''
    return boxPage(context, {
      title: t('Your account'),
      body: html`<p class="t2">${user.name} · ${user.login}</p>
<form class="fields" method="post" action="/web/account/password"><h2>${t('Password')}</h2><input type="hidden" name="csrf_token" value="${token}"><input type="hidden" autocomplete="username" value="${user.login}">
<div class="field"><label class="label" for="current">${t('Current password')}</label><input class="input lg" id="current" name="current" type="password" autocomplete="current-password" required></div>
${newPasswordField(t)}
<button type="submit" class="btn lg">${t('Change password')}</button></form>
<section class="fields"><h2>${t('Sessions')}</h2><ul class="sessions">${sessions.map((session) => sessionItem(t, session, session.public_id === current, token, env.lang, env.tz))}</ul>
<form method="post" action="/web/account/sessions"><input type="hidden" name="csrf_token" value="${token}"><input type="hidden" name="session" value="all"><button type="submit" class="btn warn lg">${t('Sign out everywhere')}</button></form></section>
<p><a class="link" href="/web/home">${t('Back to the start')}</a></p>`,
    })
  },
})

function sessionItem(
  t: Speak,
  session: OpenSession,
  isCurrent: boolean,
  token: string,
  lang: string,
  tz: string,
): Html {
  const seen = new Intl.DateTimeFormat(lang, { dateStyle: 'medium', timeStyle: 'short', timeZone: tz })
  return html`<li class="hs">${icon('device')}<span><span class="med">${deviceOf(session.ua) ?? t('Unknown device')}</span><br><span class="t3 fs12">${[session.ip, t('last used {time}', { time: seen.format(new Date(session.last_seen_at)) })].filter(Boolean).join(' · ')}</span></span>${
    isCurrent
      ? html`<span class="badge end">${t('This device')}</span>`
      : html`<form class="end" method="post" action="/web/account/sessions"><input type="hidden" name="csrf_token" value="${token}"><input type="hidden" name="session" value="${session.public_id}"><button type="submit" class="btn">${t('Sign out')}</button></form>`
  }</li>`
}

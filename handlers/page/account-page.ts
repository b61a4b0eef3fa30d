import { csrfTokenFor } from '../../kernel/auth/csrf.ts'
import type { Caller } from '../../kernel/auth/principal.ts'
import { listSessions, type OpenSession } from '../../kernel/auth/session.ts'
import type { Answer } from '../../kernel/http/respond.ts'
import type { Translate } from '../../kernel/i18n/translate.ts'
import { type Html, html } from '../../kernel/page/html.ts'
import { icon } from '../../kernel/page/icon.ts'
import { boxPage, localeFor, note, translatorFor } from '../../kernel/page/layout.ts'
import type { Exchange } from '../../kernel/serve/route.ts'
import type { Db } from '../../kernel/sql/database.ts'
import { sql } from '../../kernel/sql/sql.ts'
import { deviceOf } from './device.ts'

export interface AccountContext extends Exchange {
  readonly caller: Caller
}

/** Why a new password was refused, by field. */
export type AccountProblems = Readonly<Record<string, string>>

/** The page with the password form and the open sessions of the signed-in user, who goes on to the client if scripts run. */
export async function accountPage(context: AccountContext, problems: AccountProblems = {}): Promise<Answer> {
  const { services, caller } = context
  const { credential, user } = caller
  const sessions = await listSessions(services, services.db, user.id)
  const email = await emailOf(services.db, user.id)
  const current = credential.kind === 'session' ? credential.sessionId : ''
  const t = translatorFor(context)
  const token = csrfTokenFor(caller, services)
  const moment = new Intl.DateTimeFormat(localeFor(context), {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: user.tz,
  })
  const items = sessions.map((session) => {
    const seen = t('last used {time}', { time: moment.format(new Date(session.last_seen_at)) })
    return sessionItem(t, session, seen, session.public_id === current ? null : token)
  })
  return boxPage(context, {
    title: t('Your account'),
    status: Object.keys(problems).length === 0 ? 200 : 422,
    body: html`<p class="t2">${user.name} · ${user.login}${email === null || email === user.login ? '' : ` · ${email}`}</p>
<form class="fields" method="post" action="/web/account/password" data-client="/web/settings/account"><h2>${t('Password')}</h2>${problems['current'] !== undefined && note('danger', t(problems['current']))}<input type="hidden" name="csrf_token" value="${token}"><input type="hidden" autocomplete="username" value="${user.login}">
<div class="field"><label class="label" for="current">${t('Current password')}</label><input class="input lg" id="current" name="current" type="password" autocomplete="current-password" required></div>
${newPasswordField(t, problems['password'])}
<button type="submit" class="btn lg">${t('Change password')}</button></form>
<section class="fields"><h2>${t('Sessions')}</h2><ul class="sessions">${items}</ul>
<form method="post" action="/web/account/sessions"><input type="hidden" name="csrf_token" value="${token}"><input type="hidden" name="session" value="all"><button type="submit" class="btn warn lg">${t('Sign out everywhere')}</button></form></section>
<p><a class="link" href="/web/settings/keys#mine=1">${t('Your API keys')}</a></p>
<p><a class="link" href="/web/home">${t('Back to the start')}</a></p>`,
  })
}

async function emailOf(db: Db, userId: number): Promise<string | null> {
  const { rows } = await sql<{ email: string | null }>`select email from core_user where id = ${userId}`.execute(db)
  return rows[0]?.email ?? null
}

/** `token` is null for the current session, which is ended by signing out. */
function sessionItem(t: Translate, session: OpenSession, seen: string, token: string | null): Html {
  const about = [session.ip, seen].filter(Boolean).join(' · ')
  return html`<li class="hs">${icon('device')}<span><span class="med">${deviceOf(session.ua) ?? t('Unknown device')}</span><br><span class="t3 fs12">${about}</span></span>${
    token === null
      ? html`<span class="badge end">${t('This device')}</span>`
      : html`<form class="end" method="post" action="/web/account/sessions"><input type="hidden" name="csrf_token" value="${token}"><input type="hidden" name="session" value="${session.public_id}"><button type="submit" class="btn">${t('Sign out')}</button></form>`
  }</li>`
}

/** An input for a new password, with a strength meter if scripts run. */
export const newPasswordField = (t: Translate, problem?: string, label = t('New password'), hasFocus = false): Html =>
  html`<div class="field full"><label class="label" for="password">${label}</label><span class="combo lg"><input id="password" name="password" type="password" autocomplete="new-password" minlength="10" maxlength="128" required aria-describedby="password-hint"${problem === undefined ? null : html` aria-invalid="true"`}${hasFocus && html` autofocus`} data-strength><button type="button" class="btn icon ghost" aria-label="${t('Show password')}" aria-pressed="false" data-show="password" hidden>${icon('eye')}</button></span>
<div class="meter" role="meter" aria-label="${t('Password strength')}" aria-valuemin="0" aria-valuemax="4" aria-valuenow="0" data-words="${[t('Weak'), t('Fair'), t('Good'), t('Strong')].join('|')}" hidden><span></span><span></span><span></span><span></span></div>
<span class="hint"><b class="strength"></b> ${problem === undefined ? html`<span id="password-hint">${t('At least 10 characters. A few unrelated words are easy to remember and hard to guess.')}</span>` : html`<span id="password-hint" class="err" role="alert">${t(problem)}</span>`}</span></div>`

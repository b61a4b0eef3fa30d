import { z } from 'zod'
import { auditRefusal } from '../../kernel/audit.ts'
import { checkPassword, loginKey } from '../../kernel/auth/check-password.ts'
import { readDevice } from '../../kernel/auth/device.ts'
import { issueFormToken } from '../../kernel/auth/form-token.ts'
import { findSessionCaller } from '../../kernel/auth/principal.ts'
import { startSession } from '../../kernel/auth/start-session.ts'
import { refusal } from '../../kernel/errors.ts'
import { readCookie, SESSION_COOKIE } from '../../kernel/http/cookie.ts'
import { safeNext } from '../../kernel/http/next.ts'
import { type Answer, jsonAnswer, redirect } from '../../kernel/http/respond.ts'
import { wantsJson } from '../../kernel/http/wants.ts'
import { type Html, html } from '../../kernel/page/html.ts'
import { icon } from '../../kernel/page/icon.ts'
import { boxPage, note, translatorFor } from '../../kernel/page/layout.ts'
import { chargeFailedLogin, limitLogin } from '../../kernel/serve/limit.ts'
import { type Exchange, form, route } from '../../kernel/serve/route.ts'
import { sql } from '../../kernel/sql/sql.ts'

/** Why a user was sent to the sign-in page. */
const MESSAGES = {
  reset: ['success', 'Your password has been changed. Sign in with the new one.'],
  ended: ['info', 'Your session has ended. Sign in to go on; what you have typed is still there.'],
} as const

/** GET /web/login: the form, with the login of the address, or a redirect if the user is signed in. */
export const get = route({
  method: 'GET',
  path: '/web/login',
  auth: 'none',
  tx: 'none',
  query: z.object({
    next: z.string().optional(),
    msg: z.enum(['reset', 'ended']).optional().catch(undefined),
    login: z.string().max(254).catch(''),
  }),
  async handle(context) {
    const { query, request, services } = context
    const token = readCookie(request.headers.get('cookie'), SESSION_COOKIE)
    if (token !== null && (await findSessionCaller(services, token))) return redirect(safeNext(query.next))
    const t = translatorFor(context)
    const [kind, text] = query.msg === undefined ? [] : MESSAGES[query.msg]
    const message = kind && note(kind, t(text))
    return loginPage(context, { login: query.login, next: safeNext(query.next), message })
  },
})

/**
 * POST /web/login: creates a session. On failure it shows the form again, with a message that does not reveal whether the
 * login exists.
 */
export const post = route({
  method: 'POST',
  path: '/web/login',
  auth: 'none',
  tx: 'none',
  body: form(
    z.object({
      login: z.string().max(254),
      password: z.string(),
      next: z.string().optional(),
      remember: z.string().optional(),
    }),
  ),
  async handle(context) {
    const { services, request, requestId, body, address } = context
    const key = loginKey(body.login)
    const applicant = { address, loginKey: key, device: readDevice(services, request.headers, key) }
    await limitLogin(services, applicant)
    const userId = await checkPassword(services, body.login, body.password)
    if (userId === null) {
      await chargeFailedLogin(services, applicant)
      await auditRefusal(services.db, key, { address, requestId })
      return refused(context, body)
    }
    const cookies = await startSession(context, { userId, login: key, isLasting: body.remember === '1' })
    const next = safeNext(body.next)
    return wantsJson(request) ? { ...jsonAnswer({ ok: true, redirect: next }), cookies } : redirect(next, cookies)
  },
})

const WRONG = 'Login or password is not right.'

function refused(context: Exchange, { login, next }: { login: string; next?: string | undefined }): Promise<Answer> {
  if (wantsJson(context.request)) throw refusal('UNAUTHORIZED', 'login_failed', WRONG)
  const reader = { ...context, caller: null }
  return loginPage(reader, {
    login,
    next: safeNext(next),
    message: note('danger', translatorFor(reader)(WRONG)),
    status: 401,
  })
}

interface LoginPage {
  readonly login?: string
  readonly next: string
  readonly message?: Html | undefined
  readonly status?: number
}

async function loginPage(exchange: Exchange, { login = '', next, message, status = 200 }: LoginPage): Promise<Answer> {
  const reader = { ...exchange, caller: null }
  const t = translatorFor(reader)
  const { token, cookies } = issueFormToken(exchange.services, exchange.request.headers, exchange.startedAt)
  const company = await companyName(exchange)
  return boxPage(reader, {
    title: company === null ? t('Sign in') : t('Sign in to {company}', { company }),
    status,
    cookies,
    body: html`<form class="fields" method="post" action="/web/login">${message}
<input type="hidden" name="csrf_token" value="${token}"><input type="hidden" name="next" value="${next}">
<div class="field"><label class="label" for="login">${t('Login or e-mail')}</label><input class="input lg" id="login" name="login" autocomplete="username" autocapitalize="none" spellcheck="false" required value="${login}"${login === '' ? AUTOFOCUS : null}></div>
<div class="field beside"><label class="label" for="password">${t('Password')}</label><span class="combo lg"><input id="password" name="password" type="password" autocomplete="current-password" required${login === '' ? null : AUTOFOCUS}><button type="button" class="btn icon ghost" aria-label="${t('Show password')}" aria-pressed="false" data-show="password" hidden>${icon('eye')}</button></span><a class="link" href="/web/forgot">${t('Forgot password')}</a></div>
<label class="opt"><input type="checkbox" class="check" name="remember" value="1">${t('Keep me signed in on this device')}</label>
<button type="submit" class="btn primary lg block">${t('Sign in')}</button></form>
<p class="t3 fs12 ctr">${t('Trouble signing in? Ask your administrator.')}</p>`,
  })
}

const AUTOFOCUS = html` autofocus`

async function companyName({ services }: Exchange): Promise<string | null> {
  const { rows } = await sql<{ name: string }>`
    select name from core_company where active order by sequence, id limit 1`.execute(services.db)
  return rows[0]?.name ?? null
}

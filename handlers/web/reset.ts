import { z } from 'zod'
import { issueFormToken } from '../../kernel/auth/form-token.ts'
import { accountOfResetToken, consumeResetToken, hasPassword, type LinkAccount } from '../../kernel/auth/reset.ts'
import { startSession } from '../../kernel/auth/start-session.ts'
import { AppError, notFound } from '../../kernel/errors.ts'
import { safeNext } from '../../kernel/http/next.ts'
import { type Answer, jsonAnswer, redirect } from '../../kernel/http/respond.ts'
import { wantsJson } from '../../kernel/http/wants.ts'
import { html } from '../../kernel/page/html.ts'
import { boxPage, translatorFor } from '../../kernel/page/layout.ts'
import { type Exchange, form, route } from '../../kernel/serve/route.ts'
import { workAsSystem } from '../../kernel/work/work-as-system.ts'
import { newPasswordField } from '../page/account-page.ts'

/** The token is in the address, so it must not be sent as Referer. */
const HEADERS = { 'referrer-policy': 'no-referrer' }

/** GET /web/reset: the form of a reset link. Opening it does not consume the link. */
export const get = route({
  method: 'GET',
  path: '/web/reset',
  auth: 'none',
  tx: 'none',
  query: z.object({ token: z.string().catch('') }),
  async handle(context) {
    const { services, query } = context
    const account = await accountOfResetToken(services.db, query.token)
    return account === null ? deadLinkPage(context) : formPage(context, { token: query.token, account })
  },
})

/**
 * POST /web/reset: consumes the link and sets the password, or neither. Every session of the user ends. An invited user who chooses the
 * first password is signed in, since the link was the only credential. A user who had a password must sign in with the new one.
 */
export const post = route({
  method: 'POST',
  path: '/web/reset',
  auth: 'none',
  tx: 'none',
  body: form(z.object({ token: z.string(), password: z.string() })),
  async handle(context) {
    const { body, request } = context
    try {
      const done = await workAsSystem(context, 'write', async (env) => {
        const userId = await consumeResetToken(env.tx, body.token)
        if (userId === null) return null
        const isFirst = !(await hasPassword(env.tx, userId))
        await env.model('core.user').write([userId], { password: body.password })
        const [user] = await env.model('core.user').read([userId], ['login'])
        return { userId, login: user?.login ?? '', isFirst }
      })
      if (done === null) return refuseLink(context)
      const cookies = done.isFirst ? await startSession(context, done) : []
      const next = done.isFirst ? safeNext(null) : '/web/login'
      if (wantsJson(request)) return { ...jsonAnswer({ ok: true, redirect: next }), cookies }
      return redirect(done.isFirst ? next : `${next}?msg=reset`, cookies)
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'VALIDATION' || wantsJson(request)) throw error
      const account = await accountOfResetToken(context.services.db, body.token)
      if (account === null) return deadLinkPage(context)
      return formPage(context, { token: body.token, account, problem: error.message })
    }
  },
})

function refuseLink(context: Exchange): Answer {
  if (wantsJson(context.request)) throw notFound('link_expired', 'This link has been used or is too old.')
  return deadLinkPage(context)
}

function deadLinkPage(exchange: Exchange): Answer {
  const reader = { ...exchange, caller: null }
  const t = translatorFor(reader)
  return boxPage(reader, {
    title: t('This link does not work any more'),
    status: 404,
    headers: HEADERS,
    body: html`<p class="t2">${t('It has been used, has expired, or there is a newer one.')}</p>
<div><a class="btn primary lg" href="/web/forgot">${t('Ask for a new link')}</a></div>`,
  })
}

interface ResetForm {
  readonly token: string
  /** The user whose password is set. */
  readonly account: LinkAccount
  readonly problem?: string
}

function formPage(exchange: Exchange, { token, account, problem }: ResetForm): Answer {
  const { login, company, isFirst } = account
  const reader = { ...exchange, caller: null }
  const t = translatorFor(reader)
  const { token: csrfToken, cookies } = issueFormToken(exchange.services, exchange.request.headers, exchange.startedAt)
  return boxPage(reader, {
    title: isFirst ? t('Choose a password') : t('Choose a new password'),
    status: problem === undefined ? 200 : 422,
    headers: HEADERS,
    cookies,
    body: html`<p class="t2">${isFirst ? t('You are invited to {company}. Your login is {login}.', { company, login }) : t('It is the password of {login}.', { login })}</p>
<form class="fields" method="post" action="/web/reset"><input type="hidden" autocomplete="username" value="${login}"><input type="hidden" name="csrf_token" value="${csrfToken}"><input type="hidden" name="token" value="${token}">
${newPasswordField(t, problem, isFirst ? t('Password') : undefined, true)}
<button type="submit" class="btn primary lg block">${isFirst ? t('Set password and sign in') : t('Set password')}</button></form>`,
  })
}

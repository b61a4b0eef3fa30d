import { z } from 'zod'
import { issueFormToken } from '../../kernel/auth/form-token.ts'
import { consumeResetToken, hasPassword, loginOfResetToken } from '../../kernel/auth/reset.ts'
import { AppError, notFound } from '../../kernel/errors.ts'
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
    const login = await loginOfResetToken(services.db, query.token)
    return login === null ? deadLinkPage(context) : formPage(context, { token: query.token, login })
  },
})

/** POST /web/reset: consumes the link and sets the password, the first one of somebody who was invited, or neither. Every session of the user ends. */
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
        return isFirst ? 'chosen' : 'reset'
      })
      if (done === null) return refuseLink(context)
      return wantsJson(request) ? jsonAnswer({ ok: true, redirect: '/web/login' }) : redirect(`/web/login?msg=${done}`)
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'VALIDATION' || wantsJson(request)) throw error
      const login = await loginOfResetToken(context.services.db, body.token)
      if (login === null) return deadLinkPage(context)
      return formPage(context, { token: body.token, login, problem: error.message })
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
  /** Whose password it is. */
  readonly login: string
  readonly problem?: string
}

function formPage(exchange: Exchange, { token, login, problem }: ResetForm): Answer {
  const reader = { ...exchange, caller: null }
  const t = translatorFor(reader)
  const { token: csrfToken, cookies } = issueFormToken(exchange.services, exchange.request.headers, exchange.startedAt)
  return boxPage(reader, {
    title: t('Choose a new password'),
    status: problem === undefined ? 200 : 422,
    headers: HEADERS,
    cookies,
    body: html`<p class="t2">${t('It is the password of {login}.', { login })}</p>
<form class="fields" method="post" action="/web/reset"><input type="hidden" autocomplete="username" value="${login}"><input type="hidden" name="csrf_token" value="${csrfToken}"><input type="hidden" name="token" value="${token}">
${newPasswordField(t, problem)}
<button type="submit" class="btn primary lg block">${t('Set password')}</button></form>`,
  })
}

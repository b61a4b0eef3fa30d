import { z } from 'zod'
import { isPasswordOf } from '../../kernel/auth/check-password.ts'
import { issueCsrfToken } from '../../kernel/auth/csrf.ts'
import type { Caller } from '../../kernel/auth/principal.ts'
import { refreshSession } from '../../kernel/auth/session.ts'
import { accessDenied } from '../../kernel/errors.ts'
import { safeNext } from '../../kernel/http/next.ts'
import { type Answer, jsonAnswer, redirect } from '../../kernel/http/respond.ts'
import { wantsJson } from '../../kernel/http/wants.ts'
import { html } from '../../kernel/page/html.ts'
import { boxPage, note, translatorFor } from '../../kernel/page/layout.ts'
import { chargeFailedConfirm, limitConfirm } from '../../kernel/serve/limit.ts'
import { type Exchange, form, route } from '../../kernel/serve/route.ts'

/** GET /web/confirm: asks for the password before something dangerous. */
export const get = route({
  method: 'GET',
  path: '/web/confirm',
  auth: 'session',
  tx: 'none',
  isPage: true,
  query: z.object({ next: z.string().optional() }),
  handle: (context) => confirmPage(context, context.caller, safeNext(context.query.next), null),
})

/** POST /web/confirm: allows dangerous actions in this session for ten minutes. */
export const post = route({
  method: 'POST',
  path: '/web/confirm',
  auth: 'session',
  tx: 'none',
  body: form(z.object({ password: z.string(), next: z.string().optional() })),
  async handle(context) {
    const { services, request, caller, body } = context
    const next = safeNext(body.next)
    await limitConfirm(services, caller)
    if (!(await isPasswordOf(services, caller.user.id, body.password))) {
      await chargeFailedConfirm(services, caller)
      if (wantsJson(request)) throw accessDenied('password_wrong', 'The password is not right.')
      return confirmPage(context, caller, next, 'The password is not right.')
    }
    if (caller.credential.kind === 'session') await refreshSession(services.db, caller.credential.sessionId)
    return wantsJson(request) ? jsonAnswer({ ok: true, redirect: next }) : redirect(next)
  },
})

function confirmPage(exchange: Exchange, caller: Caller, next: string, problem: string | null): Answer {
  const reader = { ...exchange, caller }
  const t = translatorFor(reader)
  const token =
    caller.credential.kind === 'session' && issueCsrfToken(caller.credential.csrfSecret, exchange.services.random)
  return boxPage(reader, {
    title: t('Is it you, {name}?', { name: caller.user.name }),
    status: problem === null ? 200 : 403,
    body: html`<form class="fields" method="post" action="/web/confirm">${problem !== null && note('danger', t(problem))}
<input type="hidden" name="csrf_token" value="${token}"><input type="hidden" name="next" value="${next}"><input type="hidden" name="login" autocomplete="username" value="${caller.user.login}">
<p class="t2">${t('This step asks for your password, because it can give others access.')}</p>
<div class="field"><label class="label" for="password">${t('Password')}</label><input class="input lg" id="password" name="password" type="password" autocomplete="current-password" required autofocus></div>
<button type="submit" class="btn primary lg block">${t('Go on')}</button></form>`,
  })
}

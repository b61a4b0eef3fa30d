import { z } from 'zod'
import { loginKey } from '../../kernel/auth/check-password.ts'
import { issueFormToken } from '../../kernel/auth/form-token.ts'
import { sendResetLink } from '../../kernel/auth/send-reset-link.ts'
import { jsonAnswer } from '../../kernel/http/respond.ts'
import { wantsJson } from '../../kernel/http/wants.ts'
import { canSendMail } from '../../kernel/mail/mail-server.ts'
import { html } from '../../kernel/page/html.ts'
import { boxPage, note, translatorFor } from '../../kernel/page/layout.ts'
import { limitReset } from '../../kernel/serve/limit.ts'
import { form, route } from '../../kernel/serve/route.ts'
import { sql } from '../../kernel/sql/sql.ts'
import { runInBackground, workAsSystem } from '../../kernel/work/work-as-system.ts'

/** GET /web/forgot: asks for the login. */
export const get = route({
  method: 'GET',
  path: '/web/forgot',
  auth: 'none',
  tx: 'none',
  async handle(context) {
    const { services, request, startedAt } = context
    const t = translatorFor(context)
    const { token, cookies } = issueFormToken(services, request.headers, startedAt)
    const body = (await canSendMail({ services, tx: services.db }))
      ? html`<form class="fields" method="post" action="/web/forgot"><input type="hidden" name="csrf_token" value="${token}">
<p class="t2">${t('We send you a link with which you can choose a new password.')}</p>
<div class="field"><label class="label" for="login">${t('Login or e-mail')}</label><input class="input lg" id="login" name="login" autocomplete="username" autocapitalize="none" spellcheck="false" required autofocus></div>
<button type="submit" class="btn primary lg block">${t('Send link')}</button></form>`
      : note('info', t('This service cannot send mail. Ask your administrator for a link to choose a new password.'))
    return boxPage(context, {
      title: t('Forgot your password?'),
      cookies,
      body: html`${body}<p class="ctr"><a class="link" href="/web/login">${t('Back to sign-in')}</a></p>`,
    })
  },
})

/**
 * POST /web/forgot: mails a reset link. The answer is always the same, and the work is done after it, so that neither text
 * nor time reveals whether the login exists.
 */
export const post = route({
  method: 'POST',
  path: '/web/forgot',
  auth: 'none',
  tx: 'none',
  body: form(z.object({ login: z.string().max(254) })),
  async handle(context) {
    const { services, request, body, address } = context
    const key = loginKey(body.login)
    await limitReset(services, { address, loginKey: key })
    if (await canSendMail({ services, tx: services.db })) {
      runInBackground(context, async () => {
        const unreachable = await workAsSystem(context, 'write', async (env) => {
          const { rows } = await sql<{ id: number }>`
            select id from core_user where login_key = ${key} and active`.execute(env.tx)
          const id = rows[0]?.id
          return id === undefined || (await sendResetLink(env, id)) ? null : id
        })
        // The answer must not reveal it, so only this log line tells why no mail is sent.
        if (unreachable !== null)
          services.observe({
            kind: 'warning',
            text: `User ${unreachable} has asked for a new password and has no e-mail address: no link was sent.`,
          })
      })
    }
    if (wantsJson(request)) return jsonAnswer({ ok: true })
    const t = translatorFor(context)
    return boxPage(context, {
      title: t('Look into your mail'),
      body: html`<p class="t2">${t('If there is an account with this login and it has an e-mail address, a link is on its way. It works once, for half an hour.')}</p>
<div><a class="btn lg" href="/web/login">${t('Back to sign-in')}</a></div>`,
    })
  },
})

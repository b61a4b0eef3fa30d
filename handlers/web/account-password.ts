import { z } from 'zod'
import { isPasswordOf } from '../../kernel/auth/check-password.ts'
import { loginKey } from '../../kernel/auth/login-key.ts'
import { sendPasswordNotice } from '../../kernel/auth/send-reset-link.ts'
import { createSession, sessionCookie } from '../../kernel/auth/session.ts'
import { invalid } from '../../kernel/errors.ts'
import { wantsPage } from '../../kernel/http/incoming.ts'
import { chargeFailedLogin, limitLogin } from '../../kernel/http/limit.ts'
import { json, redirect } from '../../kernel/http/respond.ts'
import { form, route } from '../../kernel/http/route.ts'
import { workAs } from '../../kernel/http/unit-of-work.ts'

/** POST /web/account/password: a new password for whoever knows the old one. Every other session of the user ends. */
export const post = route({
  method: 'POST',
  path: '/web/account/password',
  auth: 'session',
  tx: 'none',
  body: form(z.object({ current: z.string(), password: z.string() })),
  async handle(context) {
    const { services, request, caller, body, address } = context
    const userId = caller.user.id
    const applicant = { address, loginKey: loginKey(caller.user.login) }
    await limitLogin(services, applicant)
    if (!(await isPasswordOf(services, userId, body.current))) {
      await chargeFailedLogin(services, applicant)
      throw invalid({ current: 'The password is not right.' })
    }
    const { token } = await workAs(context, caller, 'write', async (env) => {
      await env.sudo().model('core.user').write([userId], { password: body.password })
      await sendPasswordNotice(env, userId)
      return createSession(services, env.tx, { userId, ip: address, userAgent: request.headers.get('user-agent') })
    })
    const cookies = [sessionCookie(services, token, null)]
    return wantsPage(request) ? redirect('/web/account', cookies) : { ...json({ ok: true }), cookies }
  },
})

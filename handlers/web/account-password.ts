import { z } from 'zod'
import { isPasswordOf } from '../../kernel/auth/check-password.ts'
import { createSession, type NewSession, sessionCookie } from '../../kernel/auth/session.ts'
import { asKernel } from '../../kernel/env.ts'
import { AppError, invalid, problemsOf } from '../../kernel/errors.ts'
import { jsonAnswer, redirect } from '../../kernel/http/respond.ts'
import { wantsJson } from '../../kernel/http/wants.ts'
import { translatorFor } from '../../kernel/page/layout.ts'
import { chargeFailedConfirm, limitConfirm } from '../../kernel/serve/limit.ts'
import { form, route } from '../../kernel/serve/route.ts'
import { workAs } from '../../kernel/work/unit-of-work.ts'
import { type AccountContext, accountPage } from '../page/account-page.ts'

const BODY = z.object({ current: z.string(), password: z.string() })

/**
 * POST /web/account/password: changes the password of the signed-in user, who must enter the old one. Ends every other
 * session of the user.
 */
export const post = route({
  method: 'POST',
  path: '/web/account/password',
  auth: 'session',
  tx: 'none',
  body: form(BODY),
  async handle(context) {
    const { services, request } = context
    const changed = await changePassword(context).catch((error: unknown) => {
      if (!(error instanceof AppError) || error.code !== 'VALIDATION' || wantsJson(request)) throw error
      return error
    })
    if (changed instanceof AppError) return accountPage(context, problemsOf(changed))
    const { token } = changed
    const cookies = [sessionCookie(services, token, null)]
    return wantsJson(request) ? { ...jsonAnswer({ ok: true }), cookies } : redirect('/web/account', cookies)
  },
})

async function changePassword(context: AccountContext & { readonly body: z.output<typeof BODY> }): Promise<NewSession> {
  const { services, request, caller, body, address } = context
  const userId = caller.user.id
  await limitConfirm(services, caller)
  if (!(await isPasswordOf(services, userId, body.current))) {
    await chargeFailedConfirm(services, caller)
    throw invalid('check_failed', { current: translatorFor(context)('The password is not right.') })
  }
  return workAs(context, caller, 'write', async (env) => {
    await asKernel(env).model('core.user').write([userId], { password: body.password })
    const userAgent = request.headers.get('user-agent')
    return createSession(services, env.tx, { userId, ip: address, userAgent, requestId: env.requestId })
  })
}

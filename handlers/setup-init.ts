import { z } from 'zod'
import { refusePassword } from '../kernel/admin/password-policy.ts'
import { loginKey } from '../kernel/auth/check-password.ts'
import { deviceCookie } from '../kernel/auth/device.ts'
import { issueFormToken } from '../kernel/auth/form-token.ts'
import { createSession, sessionCookie } from '../kernel/auth/session.ts'
import { isSetupToken, needsSetupToken } from '../kernel/auth/setup-token.ts'
import { AppError, accessDenied, invalid, problemsOf } from '../kernel/errors.ts'
import { oneOrMore } from '../kernel/http/fields.ts'
import { type Answer, jsonAnswer, redirect } from '../kernel/http/respond.ts'
import { wantsJson } from '../kernel/http/wants.ts'
import type { Translate } from '../kernel/i18n/translate.ts'
import { type InitialiseResult, initialise } from '../kernel/module/initialise.ts'
import { listCurrencies, openSetup, withProgress } from '../kernel/module/setup.ts'
import { translatorFor } from '../kernel/page/layout.ts'
import { type Exchange, form, route } from '../kernel/serve/route.ts'
import { examplesPage } from './page/examples-page.ts'
import { setupPage } from './page/setup-page.ts'

const BODY = z.object({
  company: z.string().trim().max(200),
  name: z.string().trim().max(200).optional(),
  login: z.string().trim().max(254),
  password: z.string().max(1_024),
  language: z.string().max(35).default('en'),
  timezone: z.string().max(64).default('UTC'),
  currency: z.string().max(3).default('EUR'),
  demo: z.enum(['0', '1']).optional(),
  modules: oneOrMore(z.string().max(41)).default([]),
  setup_token: z.string().max(100).optional(),
  /** Only check whether the password would be accepted. */
  check: z.literal('1').optional(),
})

/**
 * POST /setup/init: creates company, administrator and modules, once. Answers when everything is installed, and signs the administrator
 * in. With demo data the answer is a page of links to try the service as the example users, which is shown only this once.
 */
export const post = route({
  method: 'POST',
  path: '/setup/init',
  auth: 'none',
  tx: 'none',
  body: form(BODY),
  async handle(context) {
    const { services, request, body, startedAt } = context
    const { gate, catalogue } = await openSetup(services)
    const needsToken = needsSetupToken(gate, request)
    const { setup_token, demo, check, ...options } = body
    if (check !== undefined) return checkPassword(translatorFor(context), options.password)
    let done: InitialiseResult
    try {
      if (needsToken && !isSetupToken(gate, setup_token ?? '')) {
        throw accessDenied(
          'setup_token_wrong',
          'The set-up token is not right. It is on the console of the service, or in its setting SETUP_TOKEN.',
        )
      }
      done = await withProgress(services, (onProgress) =>
        initialise(services, catalogue, { ...options, demo: demo === '1', onProgress }),
      )
    } catch (error) {
      if (!(error instanceof AppError) || wantsJson(request) || !CORRECTABLE.has(error.code)) throw error
      const { token, cookies } = issueFormToken(services, request.headers, startedAt)
      return setupPage(context, {
        catalogue,
        currencies: await listCurrencies(services.db),
        csrfToken: token,
        now: startedAt,
        cookies,
        needsToken,
        values: { ...options, demo: demo === '1' },
        problems: problemsOf(error),
        status: error.status,
      })
    }
    const { examples } = done
    const cookies = await signIn(context, done.userId, body.login)
    if (wantsJson(request)) return { ...jsonAnswer({ ok: true, redirect: '/web/login', examples }), cookies }
    return examples.length > 0 ? examplesPage(context, examples, cookies) : redirect('/web/login', cookies)
  },
})

/** Checks a password for the step of the wizard that asks for it, by the same rule as when the administrator is stored. */
function checkPassword(t: Translate, password: string): Answer {
  const problem = refusePassword(password)
  if (problem !== null) throw invalid('value_invalid', { password: t(problem.message) })
  return jsonAnswer({ ok: true })
}

/** Signs the administrator in, who has just chosen the password: the sign-in page, to which the answer leads, then redirects. */
async function signIn(
  { services, request, address }: Exchange,
  userId: number,
  login: string,
): Promise<readonly string[]> {
  const origin = { userId, ip: address, userAgent: request.headers.get('user-agent') }
  const { token } = await createSession(services, services.db, origin)
  return [sessionCookie(services, token, null), deviceCookie(services, request.headers, loginKey(login))]
}

/** Errors that the wizard shows in its form; others are shown on an error page. */
const CORRECTABLE: ReadonlySet<string> = new Set(['VALIDATION', 'ACCESS_DENIED'])

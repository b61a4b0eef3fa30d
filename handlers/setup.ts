import { issueFormToken } from '../kernel/auth/form-token.ts'
import { needsSetupToken } from '../kernel/auth/setup-token.ts'
import { listCurrencies, openSetup } from '../kernel/module/setup.ts'
import { languageFor } from '../kernel/page/layout.ts'
import { route } from '../kernel/serve/route.ts'
import { setupPage } from './page/setup-page.ts'

/** GET /setup: the first page of a new installation. */
export const get = route({
  method: 'GET',
  path: '/setup',
  auth: 'none',
  tx: 'none',
  async handle(context) {
    const { services, request, startedAt } = context
    const { gate, catalogue } = await openSetup(services)
    const { token, cookies } = issueFormToken(services, request.headers, startedAt)
    return setupPage(context, {
      catalogue,
      currencies: await listCurrencies(services.db),
      csrfToken: token,
      now: startedAt,
      cookies,
      needsToken: needsSetupToken(gate, request),
      values: { language: languageFor(context) },
    })
  },
})

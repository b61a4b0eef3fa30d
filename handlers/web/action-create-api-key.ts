import { z } from 'zod'
import { issueApiKey } from '../../kernel/admin/api-keys.ts'
import { storeFlash } from '../../kernel/auth/flash.ts'
import { requireFresh } from '../../kernel/auth/fresh.ts'
import { invalid } from '../../kernel/errors.ts'
import { recordIdText, visibleLine, wholeNumber } from '../../kernel/http/fields.ts'
import { jsonAnswer, redirect } from '../../kernel/http/respond.ts'
import { wantsJson } from '../../kernel/http/wants.ts'
import { LIMITS } from '../../kernel/limits.ts'
import { html } from '../../kernel/page/html.ts'
import { translatorFor } from '../../kernel/page/layout.ts'
import { form, route } from '../../kernel/serve/route.ts'
import { userActionPage } from '../page/user-action-page.ts'

const USUAL_DAYS = 90

/** GET /web/action/create_api_key: asks for the name, lifetime and scope of the key. */
export const get = route({
  method: 'GET',
  path: '/web/action/create_api_key',
  auth: 'session',
  forAdministrators: 'Only an administrator may create API keys.',
  tx: 'read',
  isPage: true,
  query: z.object({ user_id: recordIdText }),
  async handle(context) {
    const { query } = context
    const t = translatorFor(context)
    return userActionPage(context, {
      userId: query.user_id,
      title: (user) => t('API key for {user}', { user }),
      action: '/web/action/create_api_key',
      submit: t('Create key'),
      fields: html`<div class="field"><label class="label" for="name">${t('What it is for')}</label><input class="input lg" id="name" name="name" maxlength="200" required autofocus></div>
<div class="field"><label class="label" for="expires_days">${t('Good for how many days')}</label><input class="input lg" id="expires_days" name="expires_days" type="number" min="1" max="${LIMITS.keyDays}" value="${USUAL_DAYS}" required></div>
<div class="field"><label class="label" for="scope">${t('What it may do, as JSON; empty for everything its user may but change users, groups and keys')}</label><textarea class="textarea mono" id="scope" name="scope" rows="3" spellcheck="false" placeholder='{"models": {"sale.order": ["search_read"]}, "read_only": true}'></textarea></div>`,
    })
  },
})

/** POST /web/action/create_api_key: a key for a user. The page that follows shows it, once. */
export const post = route({
  method: 'POST',
  path: '/web/action/create_api_key',
  auth: 'session',
  forAdministrators: 'Only an administrator may create API keys.',
  tx: 'write',
  body: form(
    z.object({
      user_id: recordIdText,
      name: visibleLine(200),
      expires_days: wholeNumber(1, LIMITS.keyDays).default(USUAL_DAYS),
      scope: z.union([z.string().max(10_000), z.record(z.string(), z.unknown())]).optional(),
      next: z.string().optional(),
    }),
  ),
  async handle(context) {
    const { env, services, request, caller, body } = context
    const session = requireFresh(caller)
    const { user_id, name, expires_days } = body
    const { id, key, owner } = await issueApiKey(env, { user_id, name, expires_days, scope: readScope(body.scope) })
    const text = translatorFor(context)('API key "{name}" for {user}. Copy it now: it is not shown again.', {
      name,
      user: owner,
    })
    const cookies = [await storeFlash(services, env.tx, session, { text, secret: key })]
    const next = `/web?model=core.user&view_type=form&id=${user_id}`
    return wantsJson(request) ? { ...jsonAnswer({ ok: true, id, redirect: next }), cookies } : redirect(next, cookies)
  },
})

function readScope(scope: string | Record<string, unknown> | undefined): Record<string, unknown> | null {
  if (scope === undefined || scope === '') return null
  if (typeof scope !== 'string') return scope
  try {
    const parsed: unknown = JSON.parse(scope)
    return typeof parsed === 'object' && parsed !== null ? { ...parsed } : refuseScope()
  } catch {
    return refuseScope()
  }
}

function refuseScope(): never {
  throw invalid('value_invalid', { scope: 'Must be a JSON object.' })
}

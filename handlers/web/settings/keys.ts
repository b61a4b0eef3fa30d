import { z } from 'zod'
import { ADMINISTRATORS_ONLY } from '../../../kernel/access/administrator.ts'
import { issueApiKey, listApiKeys, listKeyModels } from '../../../kernel/admin/api-keys.ts'
import { requireFresh } from '../../../kernel/auth/fresh.ts'
import { recordIdText, visibleLine, wholeNumber } from '../../../kernel/http/fields.ts'
import { jsonAnswer } from '../../../kernel/http/respond.ts'
import { wantsJson } from '../../../kernel/http/wants.ts'
import { LIMITS } from '../../../kernel/limits.ts'
import { form, route } from '../../../kernel/serve/route.ts'
import { shellPage } from '../../../kernel/shell/shell-page.ts'

/** GET /web/settings/keys: the page of API keys; as JSON all keys for administrators, otherwise the user's own. */
export const get = route({
  method: 'GET',
  path: '/web/settings/keys',
  auth: 'session',
  tx: 'read',
  isPage: true,
  query: z.object({ q: z.string().max(LIMITS.likeOperandChars).default('') }),
  async handle(context) {
    const { env, request, query } = context
    if (!wantsJson(request)) return shellPage(context, { title: env.t('API keys'), query: null })
    return jsonAnswer({ ok: true, result: await listApiKeys(env, query.q.trim()) })
  },
})

/** GET /web/settings/keys/models: the models that a key of the user could cover. */
export const models = route({
  method: 'GET',
  path: '/web/settings/keys/models',
  auth: 'session',
  forAdministrators: ADMINISTRATORS_ONLY,
  tx: 'read',
  query: z.object({ user: recordIdText }),
  async handle({ env, query }) {
    return jsonAnswer({ ok: true, result: await listKeyModels(env, query.user) })
  },
})

/** The properties of a new key. */
export const newKey = z.strictObject({
  name: visibleLine(100),
  expires_days: wholeNumber(1, LIMITS.keyDays),
  scope: z.record(z.string(), z.unknown()).nullable(),
})

/** POST /web/settings/keys: creates a key for a user; only this answer contains it. */
export const post = route({
  method: 'POST',
  path: '/web/settings/keys',
  auth: 'session',
  forAdministrators: ADMINISTRATORS_ONLY,
  tx: 'write',
  body: form(newKey.extend({ user_id: recordIdText })),
  async handle({ env, caller, body }) {
    requireFresh(caller)
    return jsonAnswer({ ok: true, result: await issueApiKey(env, body) })
  },
})

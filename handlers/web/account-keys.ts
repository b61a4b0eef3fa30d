import { issueOwnApiKey, listKeyModels } from '../../kernel/admin/api-keys.ts'
import { requireFresh } from '../../kernel/auth/fresh.ts'
import { jsonAnswer } from '../../kernel/http/respond.ts'
import { form, route } from '../../kernel/serve/route.ts'
import { newKey } from './settings/keys.ts'

/** GET /web/account/keys: the models that a key of the user could cover. */
export const get = route({
  method: 'GET',
  path: '/web/account/keys',
  auth: 'session',
  tx: 'read',
  async handle({ env, caller }) {
    return jsonAnswer({ ok: true, result: await listKeyModels(env, caller.user.id) })
  },
})

/** POST /web/account/keys: creates a key of the user; only this answer contains it. */
export const post = route({
  method: 'POST',
  path: '/web/account/keys',
  auth: 'session',
  tx: 'write',
  body: form(newKey),
  async handle({ env, caller, body }) {
    requireFresh(caller)
    return jsonAnswer({ ok: true, result: await issueOwnApiKey(env, body) })
  },
})

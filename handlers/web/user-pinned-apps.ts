import { z } from 'zod'
import { invalid } from '../../kernel/errors.ts'
import { jsonAnswer } from '../../kernel/http/respond.ts'
import { LIMITS } from '../../kernel/limits.ts'
import { route } from '../../kernel/serve/route.ts'

/** POST /web/user/pinned-apps: saves the user's pinned apps and their order. */
export const post = route({
  method: 'POST',
  path: '/web/user/pinned-apps',
  auth: 'session',
  tx: 'write',
  body: {
    schema: z.object({ apps: z.array(z.string().max(41)).max(LIMITS.pinnedApps) }),
    limit: LIMITS.formBodyBytes,
  },
  async handle({ env, body }) {
    const pinnedApps = [...new Set(body.apps)]
    const unknown = pinnedApps.filter((name) => !env.registry.addons.includes(name))
    if (unknown.length > 0) throw invalid('value_invalid', { apps: `Not installed: ${unknown.join(', ')}.` })
    await env.model('core.user').write([env.user.id], { pinned_apps: pinnedApps })
    return jsonAnswer({ ok: true, pinnedApps })
  },
})

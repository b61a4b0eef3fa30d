import { z } from 'zod'
import { ADMINISTRATORS_ONLY } from '../../kernel/access/administrator.ts'
import { jsonAnswer } from '../../kernel/http/respond.ts'
import { catalogueOf } from '../../kernel/module/graph.ts'
import { moduleNames, requireSingle } from '../../kernel/module/module-names.ts'
import { planChange } from '../../kernel/module/plan-change.ts'
import { readProgress } from '../../kernel/module/setup.ts'
import { route } from '../../kernel/serve/route.ts'

/** GET /web/module/plan: what a change of a module, or an update of several, would do, in words; nothing is changed. */
export const get = route({
  method: 'GET',
  path: '/web/module/plan',
  auth: 'session',
  forAdministrators: ADMINISTRATORS_ONLY,
  tx: 'read',
  query: z.object({ module: moduleNames, action: z.enum(['install', 'update', 'deactivate', 'uninstall']) }),
  async handle({ env, services, query: { module, action } }) {
    const modules = requireSingle(module, action)
    return jsonAnswer({ ok: true, result: await planChange(env.tx, catalogueOf(services), modules, action, env.lang) })
  },
})

/** GET /web/module/progress: which module the running change is loading; null: no change is running, or it has not reported yet. */
export const progress = route({
  method: 'GET',
  path: '/web/module/progress',
  auth: 'session',
  forAdministrators: ADMINISTRATORS_ONLY,
  tx: 'read',
  async handle({ env }) {
    return jsonAnswer({ ok: true, result: await readProgress(env.tx) })
  },
})

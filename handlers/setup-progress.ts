import { jsonAnswer } from '../kernel/http/respond.ts'
import { openSetup, readProgress } from '../kernel/module/setup.ts'
import { route } from '../kernel/serve/route.ts'

/** GET /setup/progress: which module the set-up is loading, for the page that waits for it. */
export const get = route({
  method: 'GET',
  path: '/setup/progress',
  auth: 'none',
  tx: 'none',
  async handle({ services }) {
    await openSetup(services)
    return jsonAnswer({ ok: true, progress: await readProgress(services.db) })
  },
})

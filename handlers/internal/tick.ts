import { notFound } from '../../kernel/errors.ts'
import { jsonAnswer } from '../../kernel/http/respond.ts'
import { route } from '../../kernel/serve/route.ts'

/** POST /internal/tick: runs the scheduled jobs that are due, for hosts without timers; for programs that send its signature. */
export const post = route({
  method: 'POST',
  path: '/internal/tick',
  auth: 'signed',
  tx: 'none',
  async handle({ services }) {
    if (!services.tick) throw notFound('not_offered', 'This host runs no jobs.')
    return jsonAnswer({ ok: true, runs: await services.tick() })
  },
})

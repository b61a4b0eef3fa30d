import { z } from 'zod'
import { jsonAnswer } from '../../kernel/http/respond.ts'
import { LIMITS } from '../../kernel/limits.ts'
import { deliveriesOf } from '../../kernel/live/deliveries.ts'
import { currentPosition, readOutbox } from '../../kernel/live/follow-outbox.ts'
import { parsePosition, positionText } from '../../kernel/live/position.ts'
import { route } from '../../kernel/serve/route.ts'

/**
 * GET /web/wc/events: the events committed since a position that the user may see, for clients without a socket. Without a position, or
 * if the log does not reach back to it, only the current position.
 */
export const get = route({
  method: 'GET',
  path: '/web/wc/events',
  auth: 'session',
  tx: 'read',
  query: z.object({ since: z.string().optional() }),
  async handle({ env, query }) {
    if (query.since === undefined) return jsonAnswer({ events: [], seq: positionText(await currentPosition(env.tx)) })
    const from = parsePosition(query.since)
    const page = from && (await readOutbox(env.tx, from, { max: LIMITS.replayedEvents }))
    if (page === null || page.isLost)
      return jsonAnswer({
        events: [],
        resync: true,
        seq: positionText(page?.position ?? (await currentPosition(env.tx))),
      })
    const deliveries = await deliveriesOf([env], page.events)
    return jsonAnswer({
      events: deliveries.map(({ channel, payload }) => ({ channel, payload })),
      seq: positionText(page.position),
    })
  },
})

import { z } from 'zod'
import { jsonAnswer, recordIdText, route, wholeNumber } from '#kernel'
import { readMessages } from '../chatter/read.ts'

const PAGE = { usual: 30, most: 100 } as const

/** GET /web/wc/chatter: messages of a record, the newest first; `before` continues after the last one of a page, `only` selects messages of users or tracked changes. */
export const chatterRead = route({
  method: 'GET',
  path: '/web/wc/chatter',
  auth: 'session',
  tx: 'read',
  query: z.object({
    model: z.string(),
    res_id: recordIdText,
    before: recordIdText.optional(),
    limit: wholeNumber(1, 2_147_483_647).default(PAGE.usual),
    only: z.enum(['messages', 'changes']).optional(),
  }),
  async handle({ env, query: { model, res_id: id, before, limit, only } }) {
    return jsonAnswer(await readMessages(env, { model, id, before, only, limit: Math.min(limit, PAGE.most) }))
  },
})

import { z } from 'zod'
import { recordIdText } from '../../kernel/http/fields.ts'
import { jsonAnswer } from '../../kernel/http/respond.ts'
import { LIMITS } from '../../kernel/limits.ts'
import { route } from '../../kernel/serve/route.ts'
import { findRecords } from '../../kernel/workspace/find-records.ts'

const models = z
  .string()
  .transform((text) => text.split(',').filter((name) => name !== ''))
  .refine((names) => names.length <= LIMITS.foundModels, `At most ${LIMITS.foundModels} models at once.`)

/** GET /web/wc/find: records of several models in one answer, for the palette. */
export const get = route({
  method: 'GET',
  path: '/web/wc/find',
  auth: 'session',
  tx: 'replica',
  query: z.object({
    q: z.string().trim().max(LIMITS.likeOperandChars).default(''),
    models,
    of_model: z.string().optional(),
    of_id: recordIdText.optional(),
  }),
  async handle({ env, query: { q, models: names, of_model, of_id } }) {
    const of = of_model === undefined || of_id === undefined ? null : { model: of_model, id: of_id }
    return jsonAnswer({ found: await findRecords(env, { text: q, models: names, of }) })
  },
})

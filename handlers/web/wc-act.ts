import { z } from 'zod'
import { AppError } from '../../kernel/errors.ts'
import { type Answer, failure } from '../../kernel/http/respond.ts'
import { LIMITS } from '../../kernel/limits.ts'
import { requireShownModel } from '../../kernel/navigation/action.ts'
import { recordIds, textMap, values } from '../../kernel/rpc/args.ts'
import { idempotencyKey, once } from '../../kernel/rpc/idempotency.ts'
import { route } from '../../kernel/serve/route.ts'
import { actOnRecords } from '../../kernel/workspace/act-on-records.ts'
import { undoAction } from '../../kernel/workspace/undo-action.ts'

/** POST /web/wc/act: an object action, `write`, `unlink`, `archive` or `unarchive` on all records or on none, with the reason of each that refuses. With an `Idempotency-Key` it is done once. */
export const post = route({
  method: 'POST',
  path: '/web/wc/act',
  auth: 'session',
  tx: 'serial',
  body: {
    schema: z.strictObject({
      model: z.string(),
      action: z.string().max(100),
      ids: recordIds.min(1),
      vals: textMap.default({}),
      values: values.default({}),
      trial: z.boolean().default(false),
    }),
    limit: LIMITS.formBodyBytes,
  },
  async handle({ env, request, rawBody, body: { model, ids, trial, ...asked } }) {
    const acted = { ...asked, model: requireShownModel(env, model), ids: [...new Set(ids)], isTrial: trial }
    const key = idempotencyKey(request.headers)
    return settle(
      await once(env, trial ? null : key, rawBody, async () => {
        const result = await actOnRecords(env, acted)
        if (result instanceof AppError) return result
        const text = JSON.stringify(result)
        return result.done.length > 0 ? text : { nothingDone: text }
      }),
    )
  },
})

/** POST /web/wc/undo: undoes an action with the token from the answer of `/web/wc/act`. */
export const undo = route({
  method: 'POST',
  path: '/web/wc/undo',
  auth: 'session',
  tx: 'serial',
  body: {
    schema: z.strictObject({ model: z.string(), token: z.string().max(LIMITS.undoTokenChars) }),
    limit: LIMITS.formBodyBytes,
  },
  async handle({ env, request, rawBody, body: { model, token } }) {
    const shown = requireShownModel(env, model)
    return settle(
      await once(env, idempotencyKey(request.headers), rawBody, async () =>
        JSON.stringify({ done: await undoAction(env, shown, token) }),
      ),
    )
  },
})

const settle = (answer: Answer | AppError): Answer => (answer instanceof AppError ? failure(answer) : answer)

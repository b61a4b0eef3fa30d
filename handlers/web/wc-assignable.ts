import { z } from 'zod'
import { mayReadField } from '../../kernel/access/acl.ts'
import { badRequest } from '../../kernel/errors.ts'
import { jsonAnswer } from '../../kernel/http/respond.ts'
import { LIMITS } from '../../kernel/limits.ts'
import { requireShownModel } from '../../kernel/navigation/action.ts'
import { sqlId } from '../../kernel/rpc/args.ts'
import { route } from '../../kernel/serve/route.ts'
import { assignableUsers } from '../../kernel/workspace/assignable.ts'

const sqlIds = z.array(sqlId).max(LIMITS.ids)

/** POST /web/wc/assignable: the users whom the caller may make responsible for records; null: all users. */
export const post = route({
  method: 'POST',
  path: '/web/wc/assignable',
  auth: 'session',
  tx: 'read',
  body: {
    schema: z.strictObject({
      model: z.string(),
      field: z.string(),
      ids: sqlIds.default([]),
      links: z.record(z.string().max(100), sqlId.nullable()).default({}),
      kept: sqlIds.default([]),
    }),
    limit: LIMITS.formBodyBytes,
  },
  async handle({ env, body }) {
    const model = requireShownModel(env, body.model)
    const field = model.fields.get(body.field)
    if (field === undefined || !mayReadField(env, field))
      throw badRequest('field_unknown', `${model.name} has no such field.`, { field: body.field.slice(0, 80) })
    return jsonAnswer({ users: await assignableUsers(env, { ...body, model, field }) })
  },
})

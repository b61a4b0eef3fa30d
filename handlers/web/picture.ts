import { z } from 'zod'
import { fromBase64 } from '../../kernel/bytes.ts'
import { notFound } from '../../kernel/errors.ts'
import { recordIdText } from '../../kernel/http/fields.ts'
import { pictureType } from '../../kernel/model/fields/binary.ts'
import { route } from '../../kernel/serve/route.ts'

/** GET /web/picture: the picture of a user, as far as the caller may read it. `v` is its version, so that browsers may cache the answer. */
export const get = route({
  method: 'GET',
  path: '/web/picture',
  auth: 'session',
  tx: 'read',
  query: z.object({ id: recordIdText }),
  async handle({ env, query }) {
    const [user] = await env.model('core.user').read([query.id], ['image'])
    const type = pictureType(user?.image ?? '')
    if (type === null) throw notFound('record_not_found', 'There is no picture.')
    return {
      status: 200,
      kind: 'file',
      body: fromBase64(user!.image!),
      headers: { 'content-type': type, 'cache-control': 'private, max-age=86400' },
    }
  },
})

import { z } from 'zod'
import { form, jsonAnswer, recordIdText, redirect, route, wantsJson } from '#kernel'
import { postMessage } from '../chatter/post.ts'
import { readMessage } from '../chatter/read.ts'

/** POST /web/chatter/post: a message on a record; for a page without scripts the way back to the record. */
export const chatterPost = route({
  method: 'POST',
  path: '/web/chatter/post',
  auth: 'session',
  tx: 'write',
  body: form(
    z.object({
      model: z.string(),
      res_id: recordIdText,
      body: z.string(),
      kind: z.enum(['comment', 'note']).default('comment'),
    }),
  ),
  async handle({ env, request, body: { res_id: id, ...message } }) {
    const thread = { model: message.model, id }
    const posted = await postMessage(env, { ...message, id })
    if (!wantsJson(request))
      return redirect(`/web?${new URLSearchParams({ model: thread.model, id: `${id}`, view_type: 'form' })}`)
    return jsonAnswer({ ok: true, message: await readMessage(env, thread, posted) })
  },
})

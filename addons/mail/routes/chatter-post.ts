import { z } from 'zod'
import { form, htmlOfText, jsonAnswer, recordIdText, redirect, route, wantsJson } from '#kernel'
import { postMessage } from '../chatter/post.ts'
import { readMessage } from '../chatter/read.ts'

/** POST /web/chatter/post: posts a message on a record; a page without scripts is redirected back to the record. */
export const chatterPost = route({
  method: 'POST',
  path: '/web/chatter/post',
  auth: 'session',
  tx: 'write',
  body: form(
    z
      .object({
        model: z.string(),
        res_id: recordIdText,
        body: z.string().optional(),
        /** Instead of `body`: plain text, in which markup is shown as typed. */
        text: z.string().optional(),
        kind: z.enum(['comment', 'note']).default('comment'),
      })
      .refine(({ body, text }) => (body === undefined) !== (text === undefined), { path: ['body'] }),
  ),
  async handle({ env, request, body: { model, res_id: id, body, text, kind } }) {
    const thread = { model, id }
    const posted = await postMessage(env, { ...thread, kind, body: body ?? htmlOfText(text ?? '') })
    if (!wantsJson(request))
      return redirect(`/web?${new URLSearchParams({ model: thread.model, id: `${id}`, view_type: 'form' })}`)
    return jsonAnswer({ ok: true, message: await readMessage(env, thread, posted) })
  },
})

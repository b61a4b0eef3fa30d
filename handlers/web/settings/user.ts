import { z } from 'zod'
import { ADMINISTRATORS_ONLY } from '../../../kernel/access/administrator.ts'
import { requireOwnUsers } from '../../../kernel/access/own-users.ts'
import { deactivateUser, previewHandOver } from '../../../kernel/admin/hand-over.ts'
import { sendLink } from '../../../kernel/admin/invite.ts'
import { listKeysOfUser, openSessions, readPerson } from '../../../kernel/admin/people.ts'
import { audit } from '../../../kernel/audit.ts'
import { requireFresh } from '../../../kernel/auth/fresh.ts'
import { endSession, endSessions } from '../../../kernel/auth/session.ts'
import { recordIdText } from '../../../kernel/http/fields.ts'
import { parseInput } from '../../../kernel/http/parse.ts'
import { jsonAnswer } from '../../../kernel/http/respond.ts'
import { type Exchange, form, route } from '../../../kernel/serve/route.ts'
import { wireSession } from '../../page/device.ts'

const userOf = ({ params }: Exchange): number => parseInput(recordIdText, params['id'], 'id')

/** GET /web/settings/users/:id: one user with sessions and keys, as JSON. */
export const get = route({
  method: 'GET',
  path: '/web/settings/users/:id',
  auth: 'session',
  forAdministrators: ADMINISTRATORS_ONLY,
  tx: 'read',
  async handle(context) {
    const { env, caller } = context
    const id = userOf(context)
    const person = await readPerson(env, id)
    const sessions = (await openSessions(env, id)).map((session) => wireSession(session, caller))
    return jsonAnswer({ ok: true, result: { person, sessions, keys: await listKeysOfUser(env, id) } })
  },
})

/** GET /web/settings/users/:id/handover: the records of the user to hand over, and the users who may take them. */
export const handOver = route({
  method: 'GET',
  path: '/web/settings/users/:id/handover',
  auth: 'session',
  forAdministrators: ADMINISTRATORS_ONLY,
  tx: 'read',
  async handle(context) {
    return jsonAnswer({ ok: true, result: await previewHandOver(context.env, userOf(context)) })
  },
})

/** POST /web/settings/users/:id/deactivate: hands records over and deactivates the user, in one step. */
export const deactivate = route({
  method: 'POST',
  path: '/web/settings/users/:id/deactivate',
  auth: 'session',
  forAdministrators: ADMINISTRATORS_ONLY,
  tx: 'write',
  body: form(z.object({ takers: z.record(z.string().max(200), recordIdText.nullable()) })),
  async handle(context) {
    const { env, caller, body } = context
    requireFresh(caller)
    return jsonAnswer({ ok: true, result: { moved: await deactivateUser(env, userOf(context), body.takers) } })
  },
})

/** POST /web/settings/users/:id/link: creates a link to choose a password, which is mailed or only in this answer. */
export const link = route({
  method: 'POST',
  path: '/web/settings/users/:id/link',
  auth: 'session',
  forAdministrators: ADMINISTRATORS_ONLY,
  tx: 'write',
  body: form(z.object({ by: z.enum(['mail', 'link']) })),
  async handle(context) {
    const { env, caller, body } = context
    requireFresh(caller)
    return jsonAnswer({ ok: true, result: await sendLink(env, userOf(context), body.by) })
  },
})

/** POST /web/settings/users/:id/sessions: ends one session of the user, or all of them. */
export const sessions = route({
  method: 'POST',
  path: '/web/settings/users/:id/sessions',
  auth: 'session',
  forAdministrators: ADMINISTRATORS_ONLY,
  tx: 'write',
  body: form(z.object({ session: z.union([z.literal('all'), z.uuid()]) })),
  async handle(context) {
    const { env, caller, body } = context
    requireFresh(caller)
    const id = userOf(context)
    const { name } = await readPerson(env, id)
    await requireOwnUsers(env, [id])
    if (body.session === 'all') {
      await endSessions(env.tx, id)
      await audit(env, [{ kind: 'sign_out_all', subject: name }])
    } else {
      await endSession(env.tx, id, body.session)
      await audit(env, [{ kind: 'session_ended', subject: name }])
    }
    return jsonAnswer({ ok: true, result: true })
  },
})

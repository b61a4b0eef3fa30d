import { z } from 'zod'
import { ADMINISTRATORS_ONLY } from '../../../kernel/access/administrator.ts'
import { saveMail } from '../../../kernel/admin/mail-settings.ts'
import { testMail } from '../../../kernel/admin/mail-test.ts'
import { requireFresh } from '../../../kernel/auth/fresh.ts'
import { wholeNumber } from '../../../kernel/http/fields.ts'
import { jsonAnswer } from '../../../kernel/http/respond.ts'
import { limitMailTest } from '../../../kernel/serve/limit.ts'
import { form, route } from '../../../kernel/serve/route.ts'

const SERVER = z.object({
  host: z.string().trim().min(1).max(253),
  port: wholeNumber(1, 65_535),
  secure: z.boolean(),
  user: z.string().trim().max(254),
  password: z.string().min(1).max(1_000).nullable(),
  from: z.string().trim().min(1).max(320),
})

/** POST /web/settings/mail: stores the settings of outgoing mail; `server: null` removes them. */
export const post = route({
  method: 'POST',
  path: '/web/settings/mail',
  auth: 'session',
  forAdministrators: ADMINISTRATORS_ONLY,
  tx: 'write',
  body: form(z.object({ server: SERVER.nullable() })),
  async handle({ env, caller, body }) {
    requireFresh(caller)
    await saveMail(env, body.server)
    return jsonAnswer({ ok: true, result: true })
  },
})

/**
 * POST /web/settings/mail/test: sends a mail to the administrator who asks, with settings that need not be saved, and returns which steps
 * succeeded. No transaction, since it waits for another server.
 */
export const test = route({
  method: 'POST',
  path: '/web/settings/mail/test',
  auth: 'session',
  forAdministrators: ADMINISTRATORS_ONLY,
  tx: 'read',
  body: form(z.object({ server: SERVER.nullable() })),
  async handle({ env, services, caller, body }) {
    // Connecting to any server requires a recent password, so that an unattended browser is not enough.
    if (body.server !== null) requireFresh(caller)
    await limitMailTest(services, caller)
    return jsonAnswer({ ok: true, result: await testMail(env, body.server) })
  },
})

import { ADMINISTRATORS_ONLY } from '../../../kernel/access/administrator.ts'
import { readOperations, retryMail, retryMails } from '../../../kernel/admin/operations.ts'
import { recordIdText } from '../../../kernel/http/fields.ts'
import { parseInput } from '../../../kernel/http/parse.ts'
import { jsonAnswer } from '../../../kernel/http/respond.ts'
import { wantsJson } from '../../../kernel/http/wants.ts'
import { route } from '../../../kernel/serve/route.ts'
import { shellPage } from '../../../kernel/shell/shell-page.ts'

/** GET /web/settings/operations: the page of jobs and mail; as JSON its data. */
export const get = route({
  method: 'GET',
  path: '/web/settings/operations',
  auth: 'session',
  forAdministrators: ADMINISTRATORS_ONLY,
  tx: 'read',
  isPage: true,
  async handle(context) {
    const { env, request } = context
    if (!wantsJson(request)) return shellPage(context, { title: env.t('Operations'), query: null })
    return jsonAnswer({ ok: true, result: await readOperations(env) })
  },
})

/** POST /web/settings/mails/retry: sends all mails again that wait or were given up. */
export const retryAll = route({
  method: 'POST',
  path: '/web/settings/mails/retry',
  auth: 'session',
  forAdministrators: ADMINISTRATORS_ONLY,
  tx: 'write',
  async handle({ env }) {
    await retryMails(env)
    return jsonAnswer({ ok: true, result: true })
  },
})

/** POST /web/settings/mails/:id/retry: sends a mail again that waits or was given up. */
export const retry = route({
  method: 'POST',
  path: '/web/settings/mails/:id/retry',
  auth: 'session',
  forAdministrators: ADMINISTRATORS_ONLY,
  tx: 'write',
  async handle({ env, params }) {
    await retryMail(env, parseInput(recordIdText, params['id'], 'id'))
    return jsonAnswer({ ok: true, result: true })
  },
})

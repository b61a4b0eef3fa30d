import { z } from 'zod'
import { requireOwnUsers } from '../../kernel/access/own-users.ts'
import { readPerson } from '../../kernel/admin/people.ts'
import { audit } from '../../kernel/audit.ts'
import { storeFlash } from '../../kernel/auth/flash.ts'
import { requireFresh } from '../../kernel/auth/fresh.ts'
import { createResetLink, endLinks } from '../../kernel/auth/reset.ts'
import { sendResetLink } from '../../kernel/auth/send-reset-link.ts'
import { asKernel } from '../../kernel/env.ts'
import { notFound } from '../../kernel/errors.ts'
import { recordIdText } from '../../kernel/http/fields.ts'
import { jsonAnswer, redirect } from '../../kernel/http/respond.ts'
import { wantsJson } from '../../kernel/http/wants.ts'
import { canSendMail } from '../../kernel/mail/mail-server.ts'
import { html } from '../../kernel/page/html.ts'
import { translatorFor } from '../../kernel/page/layout.ts'
import { form, route } from '../../kernel/serve/route.ts'
import { userActionPage } from '../page/user-action-page.ts'

/** GET /web/action/reset_password: asks for confirmation. */
export const get = route({
  method: 'GET',
  path: '/web/action/reset_password',
  auth: 'session',
  forAdministrators: 'Only an administrator may reset passwords.',
  tx: 'read',
  isPage: true,
  query: z.object({ user_id: recordIdText }),
  async handle(context) {
    const { env, query } = context
    const t = translatorFor(context)
    return userActionPage(context, {
      userId: query.user_id,
      title: (user) => t('New password for {user}', { user }),
      action: '/web/action/reset_password',
      submit: t('Make link'),
      fields: html`<p class="t2">${
        (await canSendMail(env))
          ? t('The user gets a mail with a link to choose a new password.')
          : t('The next page shows a link, once, for you to hand over.')
      }</p>`,
    })
  },
})

/**
 * POST /web/action/reset_password: creates a reset link for a user. It is mailed, or shown once to the administrator. The
 * administrator never sees the password.
 */
export const post = route({
  method: 'POST',
  path: '/web/action/reset_password',
  auth: 'session',
  forAdministrators: 'Only an administrator may reset passwords.',
  tx: 'write',
  body: form(z.object({ user_id: recordIdText })),
  async handle(context) {
    const { env, services, request, caller, body } = context
    const session = requireFresh(caller)
    const user = await readPerson(env, body.user_id)
    if (!user.active) throw notFound('record_not_found', 'There is no such user.')
    await requireOwnUsers(env, [user.id])
    await endLinks(env, body.user_id)
    const isMailed = await sendResetLink(asKernel(env), body.user_id)
    await audit(env, [{ kind: 'user_invited', subject: user.name, detail: isMailed ? 'mail' : 'link' }])
    const text = translatorFor(context)(
      'Link for {user} to choose a new password, good for half an hour. It is not shown again.',
      {
        user: user.name,
      },
    )
    const cookies = isMailed
      ? []
      : [await storeFlash(services, env.tx, session, { text, secret: await createResetLink(env, body.user_id) })]
    const next = `/web?model=core.user&view_type=form&id=${body.user_id}`
    return wantsJson(request)
      ? { ...jsonAnswer({ ok: true, mailed: isMailed, redirect: next }), cookies }
      : redirect(next, cookies)
  },
})

import { openSessions } from '../../../kernel/admin/people.ts'
import { jsonAnswer } from '../../../kernel/http/respond.ts'
import { wantsJson } from '../../../kernel/http/wants.ts'
import { route } from '../../../kernel/serve/route.ts'
import { shellPage } from '../../../kernel/shell/shell-page.ts'
import { wireSession } from '../../page/device.ts'

/** GET /web/settings/account: the page of the user's account; as JSON the account and its open sessions. */
export const get = route({
  method: 'GET',
  path: '/web/settings/account',
  auth: 'session',
  tx: 'read',
  isPage: true,
  async handle(context) {
    const { env, request, caller } = context
    if (!wantsJson(request)) return shellPage(context, { title: env.t('Your account'), query: null })
    const { id } = env.user
    const [user] = await env.model('core.user').read([id], ['name', 'email', 'lang', 'tz', 'image'])
    const { id: _, ...details } = user!
    const sessions = (await openSessions(env, id)).map((session) => wireSession(session, caller))
    return jsonAnswer({ ok: true, result: { ...details, sessions } })
  },
})

import { route } from '../../kernel/http/route.ts'
import { speakTo } from '../../kernel/page/layout.ts'
import { shellPage } from '../../kernel/page/shell.ts'
import { settingsHub } from '../../kernel/view/settings-hub.ts'

/** GET /web/settings: the hub of everything that can be set. */
export const get = route({
  method: 'GET',
  path: '/web/settings',
  auth: 'session',
  tx: 'read',
  async handle(context) {
    const extras = { settings: await settingsHub(context.env) }
    return shellPage(context, { title: speakTo(context)('Settings'), query: null, extras })
  },
})

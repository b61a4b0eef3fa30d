import { translatorFor } from '../../kernel/page/layout.ts'
import { route } from '../../kernel/serve/route.ts'
import { settingsHub } from '../../kernel/shell/settings-hub.ts'
import { shellPage } from '../../kernel/shell/shell-page.ts'

/** GET /web/settings: the settings page. */
export const get = route({
  method: 'GET',
  path: '/web/settings',
  auth: 'session',
  tx: 'read',
  isPage: true,
  async handle(context) {
    const extras = { settings: await settingsHub(context.env) }
    return shellPage(context, { title: translatorFor(context)('Settings'), query: null, extras })
  },
})

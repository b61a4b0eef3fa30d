import { translatorFor } from '../../kernel/page/layout.ts'
import { route } from '../../kernel/serve/route.ts'
import { moduleCatalogue } from '../../kernel/shell/module-catalogue.ts'
import { shellPage } from '../../kernel/shell/shell-page.ts'

/** GET /web/apps: the catalogue of modules; only administrators see what is in it. */
export const get = route({
  method: 'GET',
  path: '/web/apps',
  auth: 'session',
  tx: 'read',
  isPage: true,
  async handle(context) {
    const { env } = context
    const extras = env.hasGroup('base.group_system') ? { modules: await moduleCatalogue(env) } : {}
    return shellPage(context, { title: translatorFor(context)('Apps'), query: null, extras })
  },
})

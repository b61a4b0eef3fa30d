import { route } from '../../kernel/http/route.ts'
import { speakTo } from '../../kernel/page/layout.ts'
import { shellPage } from '../../kernel/page/shell.ts'
import { moduleCatalogue } from '../../kernel/view/module-catalogue.ts'

/** GET /web/apps: the catalogue of modules; only administrators see what is in it. */
export const get = route({
  method: 'GET',
  path: '/web/apps',
  auth: 'session',
  tx: 'read',
  async handle(context) {
    const { env } = context
    const extras = env.hasGroup('base.group_system') ? { modules: await moduleCatalogue(env) } : {}
    return shellPage(context, { title: speakTo(context)('Apps'), query: null, extras })
  },
})

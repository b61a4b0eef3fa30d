import { route } from '../../kernel/http/route.ts'
import { shellPage } from '../../kernel/page/shell.ts'
import { likelyType } from '../../kernel/view/likely-type.ts'
import { pageQuery } from '../../kernel/view/workspace-query.ts'

/** GET /web: the page in which the client opens a workspace; the parameters are those of the workspace. */
export const get = route({
  method: 'GET',
  path: '/web',
  auth: 'session',
  tx: 'read',
  async handle(context) {
    const query = pageQuery(context.request.url)
    return shellPage(context, { title: 'Workspace', query, viewType: await likelyType(context.env, query) })
  },
})

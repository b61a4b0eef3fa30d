import { route } from '../../kernel/serve/route.ts'
import { shellPage } from '../../kernel/shell/shell-page.ts'
import { likelyType } from '../../kernel/workspace/likely-type.ts'
import { pageQuery } from '../../kernel/workspace/workspace-query.ts'

/** GET /web: the page in which the client opens a workspace; the parameters are those of the workspace. */
export const get = route({
  method: 'GET',
  path: '/web',
  auth: 'session',
  tx: 'read',
  isPage: true,
  isSmall: true,
  async handle(context) {
    const query = pageQuery(context.request.url)
    return shellPage(context, { title: 'Workspace', query, viewType: await likelyType(context.env, query) })
  },
})

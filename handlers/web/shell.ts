import type { Env } from '../../kernel/env.ts'
import { route } from '../../kernel/serve/route.ts'
import { shellPage } from '../../kernel/shell/shell-page.ts'
import { isContentViewType } from '../../kernel/view/arch/arch.ts'
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

/** Guesses the kind of view that a page will show, to preload its code. Errors in the query are reported later. */
async function likelyType(env: Env, query: Readonly<Record<string, string>>): Promise<string> {
  const { view_type: requested = '', id, action } = query
  if (isContentViewType(env.registry, requested)) return requested
  if (id !== undefined && id !== '0') return 'form'
  return (await env.views()).actions.get(Number(action))?.viewModes[0] ?? 'list'
}

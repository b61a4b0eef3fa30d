import { route } from '../../kernel/http/route.ts'
import { speakTo } from '../../kernel/page/layout.ts'
import { shellPage } from '../../kernel/page/shell.ts'

/** GET /web/home: the hub of the installed applications. */
export const get = route({
  method: 'GET',
  path: '/web/home',
  auth: 'session',
  tx: 'read',
  handle: (context) => shellPage(context, { title: speakTo(context)('Home'), query: null }),
})

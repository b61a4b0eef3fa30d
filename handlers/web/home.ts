import { translatorFor } from '../../kernel/page/layout.ts'
import { route } from '../../kernel/serve/route.ts'
import { shellPage } from '../../kernel/shell/shell-page.ts'

/** GET /web/home: the hub of the installed applications. */
export const get = route({
  method: 'GET',
  path: '/web/home',
  auth: 'session',
  tx: 'read',
  isPage: true,
  isSmall: true,
  handle: (context) => shellPage(context, { title: translatorFor(context)('Home'), query: null }),
})

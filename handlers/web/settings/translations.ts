import { z } from 'zod'
import { ADMINISTRATORS_ONLY } from '../../../kernel/access/administrator.ts'
import { readTranslations } from '../../../kernel/admin/translations.ts'
import { jsonAnswer } from '../../../kernel/http/respond.ts'
import { wantsJson } from '../../../kernel/http/wants.ts'
import { route } from '../../../kernel/serve/route.ts'
import { shellPage } from '../../../kernel/shell/shell-page.ts'

const query = z.object({ lang: z.string().max(20).optional() })

/** GET /web/settings/translations: the page of translated texts; as JSON the fields and how many of their texts are translated. */
export const get = route({
  method: 'GET',
  path: '/web/settings/translations',
  auth: 'session',
  forAdministrators: ADMINISTRATORS_ONLY,
  tx: 'read',
  isPage: true,
  query,
  async handle(context) {
    const { env, request, query: asked } = context
    if (!wantsJson(request)) return shellPage(context, { title: env.t('Translations'), query: null })
    return jsonAnswer({ ok: true, result: await readTranslations(env, asked.lang) })
  },
})

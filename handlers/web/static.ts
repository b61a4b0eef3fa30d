import { notFound } from '../../kernel/errors.ts'
import { route } from '../../kernel/serve/route.ts'

/** GET /web/static/:file: a built file of the web client. Its name changes with its content, so a browser may keep it for ever. */
export const get = route({
  method: 'GET',
  path: '/web/static/:file',
  auth: 'none',
  tx: 'none',
  async handle({ services, params, request }) {
    const asset = await services.assets?.find(params['file'] ?? '', request.headers.get('accept-encoding'))
    if (!asset) throw notFound('address_unknown', 'There is no such file.')
    return {
      status: 200,
      kind: 'file',
      body: asset.body,
      headers: {
        'content-type': asset.type,
        'cache-control': 'public, max-age=31536000, immutable',
        vary: 'accept-encoding',
        ...(asset.encoding && { 'content-encoding': asset.encoding }),
      },
    }
  },
})

import { z } from 'zod'
import type { WireLog, WireLogLevel } from '../../kernel/admin/wire-log.ts'
import type { Env } from '../../kernel/env.ts'
import { jsonAnswer } from '../../kernel/http/respond.ts'
import { wantsJson } from '../../kernel/http/wants.ts'
import { LIMITS } from '../../kernel/limits.ts'
import { route } from '../../kernel/serve/route.ts'
import { shellPage } from '../../kernel/shell/shell-page.ts'

const PAGE_ROWS = 100
/** From the least to the most important. */
const LEVELS = ['debug', 'info', 'warning', 'error'] as const satisfies readonly WireLogLevel[]

const position = z.preprocess(
  (value) => (value === '' ? undefined : value),
  z.coerce.number().int().nonnegative().max(Number.MAX_SAFE_INTEGER).optional(),
)

/** Parameters; an empty one counts as missing, since forms also send empty fields. */
const query = z.object({
  level: z.preprocess((value) => value || 'debug', z.enum(LEVELS)),
  q: z.string().max(200).default(''),
  request: z.string().max(LIMITS.requestIdChars).default(''),
  before: position,
  after: position,
})

/** GET /web/settings/app-logs: the page of the log; as JSON entries, newest first, with `after` those since that cursor. */
export const get = route({
  method: 'GET',
  path: '/web/settings/app-logs',
  auth: 'session',
  forAdministrators: 'Only an administrator may read the log.',
  tx: 'read',
  isPage: true,
  query,
  async handle(context) {
    const { env, request, query: asked } = context
    if (!wantsJson(request)) return shellPage(context, { title: env.t('Log'), query: null })
    return jsonAnswer({ ok: true, ...(await readLog(env, asked)) })
  },
})

type Asked = z.infer<typeof query>

async function readLog(env: Env, { level, q, request, before, after }: Asked): Promise<WireLog> {
  const found = await env.model('sys.log').searchRead(
    [
      ['level', 'in', LEVELS.slice(LEVELS.indexOf(level))],
      ...(q === '' ? [] : [['message', 'ilike', q] as const]),
      ...(request === '' ? [] : [['request_id', '=', request] as const]),
      ...(before === undefined ? [] : [['id', '<', before] as const]),
      ...(after === undefined ? [] : [['id', '>', after] as const]),
    ],
    ['level', 'source', 'message', 'details', 'request_id', 'user_id', 'create_date'],
    // New entries are returned oldest first, so that a page limit leaves no gap.
    { order: after === undefined ? 'id desc' : 'id', limit: PAGE_ROWS + 1 },
  )
  const hasMore = found.length > PAGE_ROWS
  const rows = found.slice(0, PAGE_ROWS).map((row) => ({
    id: row.id,
    time: row.create_date!,
    level: row.level as WireLogLevel,
    source: row.source,
    message: row.message,
    request_id: row.request_id,
    user: row.user_id?.[1] ?? null,
    details: row.details ?? {},
  }))
  if (after !== undefined) rows.reverse()
  return {
    rows,
    cursor: rows[0]?.id ?? after ?? 0,
    before: after === undefined && hasMore ? rows.at(-1)!.id : null,
  }
}

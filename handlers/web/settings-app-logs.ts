import { z } from 'zod'
import type { Env } from '../../kernel/env.ts'
import { accessDenied } from '../../kernel/errors.ts'
import { jsonAnswer } from '../../kernel/http/respond.ts'
import { requireSameSite } from '../../kernel/http/same-site.ts'
import { wantsJson } from '../../kernel/http/wants.ts'
import { LIMITS } from '../../kernel/limits.ts'
import { route } from '../../kernel/serve/route.ts'
import { LOG_LEVELS, LOG_PATH, type LogFilter, type LogList, logPage, type StoredLevel } from '../page/log-page.ts'

const PAGE_ROWS = 100
const LEVELS = Object.keys(LOG_LEVELS) as StoredLevel[]

const position = z.coerce.number().int().nonnegative().max(Number.MAX_SAFE_INTEGER)

/** Forms also send empty fields. */
const query = z.object({
  level: z.preprocess((value) => value || 'debug', z.enum(LEVELS)),
  q: z.string().max(200).default(''),
  request: z.string().max(LIMITS.requestIdChars).default(''),
  before: position.optional(),
  after: position.optional(),
})

/** GET /web/settings/app-logs: log entries, newest first; with `after`, those written since that cursor. */
export const get = route({
  method: 'GET',
  path: LOG_PATH,
  auth: 'session',
  tx: 'read',
  query,
  async handle(context) {
    const { env, request, query: asked } = context
    if (!env.hasGroup('base.group_system'))
      throw accessDenied('group_required', 'Only an administrator may read the log.')
    requireSameSite(request.headers)
    const list = await readLog(env, asked)
    return wantsJson(request) ? jsonAnswer({ ok: true, ...list }) : logPage(context, asked, list, env.tz)
  },
})

interface Place {
  readonly before?: number | undefined
  readonly after?: number | undefined
}

async function readLog(env: Env, { level, q, request, before, after }: LogFilter & Place): Promise<LogList> {
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
    level: row.level as StoredLevel,
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

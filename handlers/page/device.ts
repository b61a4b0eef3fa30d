import type { WireSession } from '../../kernel/admin/wire-account.ts'
import type { Caller } from '../../kernel/auth/principal.ts'
import type { OpenSession } from '../../kernel/auth/session.ts'

const BROWSERS = [
  ['Edg/', 'Edge'],
  ['OPR/', 'Opera'],
  ['Firefox/', 'Firefox'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
  ['curl/', 'curl'],
] as const

const SYSTEMS = [
  ['Android', 'Android'],
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Windows', 'Windows'],
  ['Mac OS X', 'macOS'],
  ['CrOS', 'ChromeOS'],
  ['Linux', 'Linux'],
] as const

/** A readable name for a user agent; null if it is not recognised. */
export function deviceOf(userAgent: string | null): string | null {
  if (userAgent === null) return null
  const nameIn = (table: readonly (readonly [string, string])[]) =>
    table.find(([mark]) => userAgent.includes(mark))?.[1]
  return [nameIn(BROWSERS), nameIn(SYSTEMS)].filter(Boolean).join(', ') || null
}

/** A session as the client shows it to this caller. */
export const wireSession = (
  { public_id, ua, ip, last_seen_at }: OpenSession,
  { credential }: Pick<Caller, 'credential'>,
): WireSession => ({
  id: public_id,
  device: deviceOf(ua),
  ip,
  seenAt: last_seen_at,
  isOwn: credential.kind === 'session' && credential.sessionId === public_id,
})

import { bundledAddons } from '../../addons/index.ts'
import { listReasons, REASONS } from '../../kernel/reasons.ts'

/** The code of every reason: those of the kernel, and those of the bundled addons under their names. */
const CODES: ReadonlyMap<string, string> = new Map(
  [...listReasons(REASONS), ...bundledAddons.flatMap(({ name, reasons }) => listReasons(reasons, `${name}.`))].map(
    ({ reason, code }) => [reason, code],
  ),
)

/** The problem of an error's reason; undefined if there is none. */
export function reasonFlaw(code: unknown, details: unknown): string | undefined {
  const { reason }: { readonly reason?: unknown } = Object(details)
  if (typeof reason !== 'string') return `${String(code)} has no details.reason`
  const expected = CODES.get(reason)
  if (expected === undefined) return `${String(code)} has the reason ${reason}, which no table knows`
  return expected === code ? undefined : `${String(code)} has the reason ${reason} of ${expected}`
}

/** Throws when the error of an envelope has no reason that fits its code. */
export function requireReasonOf(error: unknown): void {
  const { code, details }: { readonly code?: unknown; readonly details?: unknown } = Object(error)
  const flaw = error ? reasonFlaw(code, details) : undefined
  if (flaw !== undefined) throw new Error(flaw)
}

/** Hands a response on. Throws when it is an error envelope without a reason that fits its code. */
export async function requireReason(response: Response): Promise<Response> {
  if (response.status < 400 || !response.headers.get('content-type')?.startsWith('application/json')) return response
  const { error }: { readonly error?: unknown } = Object(
    await response
      .clone()
      .json()
      // An answer that was cut off on purpose; the test checks it itself.
      .catch(() => null),
  )
  requireReasonOf(error)
  return response
}

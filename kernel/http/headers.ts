/** The kind of an answer, which decides its security headers. */
export type AnswerKind = 'json' | 'html' | 'file'

type HeaderTable = Readonly<Record<string, string>>

/** Policy of answers that are not pages: nothing may be loaded, run or framed. */
const SEALED = "default-src 'none'; frame-ancestors 'none'; sandbox"

const ALWAYS: HeaderTable = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
}

const BY_KIND: Readonly<Record<AnswerKind, HeaderTable>> = {
  json: { ...ALWAYS, 'content-security-policy': SEALED, 'content-type': 'application/json; charset=utf-8' },
  html: { ...ALWAYS, 'content-security-policy': pagePolicy(null), 'content-type': 'text/html; charset=utf-8' },
  file: { ...ALWAYS, 'content-security-policy': SEALED, 'content-type': 'application/octet-stream' },
}

const HSTS: HeaderTable = { 'strict-transport-security': 'max-age=31536000' }

const BY_KIND_HTTPS: Readonly<Record<AnswerKind, HeaderTable>> = {
  json: { ...BY_KIND.json, ...HSTS },
  html: { ...BY_KIND.html, ...HSTS },
  file: { ...BY_KIND.file, ...HSTS },
}

/** Headers every answer of this kind starts from. No CORS headers: no other origin may read anything. */
export const baseHeaders = (kind: AnswerKind, isHttps: boolean): HeaderTable =>
  (isHttps ? BY_KIND_HTTPS : BY_KIND)[kind]

/**
 * Policy of a page; its own scripts and styles carry the nonce of that one answer. `images` is another origin that images may
 * come from.
 */
export function pagePolicy(nonce: string | null, images = ''): string {
  const own = nonce === null ? '' : ` 'nonce-${nonce}'`
  return [
    "default-src 'none'",
    nonce === null ? "script-src 'none'" : `script-src${own} 'strict-dynamic'`,
    `style-src 'self'${own}`,
    `img-src 'self' data: ${images}`.trim(),
    "font-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "object-src 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join('; ')
}

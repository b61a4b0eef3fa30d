import { printable } from './printable.ts'

/** Replaces a secret. */
const HIDDEN = '[hidden]'

/** Names of secret values, as they appear in headers, cookies, forms, JSON and connection strings. */
const NAMES =
  'authorization|proxy-authorization|set-cookie|cookie|x-api-key|api_?key|x-csrf-token|csrf_?token|csrf_?secret|svc_[a-z]+|' +
  'password[a-z_]*|passwd|new_password|secret[a-z_]*|setup_token|reset_token|access_token|token'

/** Such a name and the characters between it and the value. */
const NAMED = `\\b(?:${NAMES})\\\\?["']?\\s{0,9}[:=]\\s{0,9}`

/**
 * Patterns that find secrets, and their replacements. Each runs in linear time: no quantifier is nested, and the text after a repetition
 * cannot match the repetition itself.
 */
const PATTERNS: readonly (readonly [RegExp, string])[] = [
  // A header value may contain blanks, so the whole line is hidden.
  [/(\b(?:authorization|set-cookie|cookie)\s{0,9}[:=])[^\n]*/gi, `$1 ${HIDDEN}`],
  [/(\bbearer )[^\s"']+/gi, `$1${HIDDEN}`],
  // `\"password\":\"…\"`, `"password": "…"`, `password='…'`
  [new RegExp(`(${NAMED}\\\\")(?:[^"\\\\]|\\\\[^"])*`, 'gi'), `$1${HIDDEN}`],
  [new RegExp(`(${NAMED}")(?:[^"\\\\]|\\\\.)*`, 'gi'), `$1${HIDDEN}`],
  [new RegExp(`(${NAMED}')(?:[^'\\\\]|\\\\.)*`, 'gi'), `$1${HIDDEN}`],
  [new RegExp(`(${NAMED})[^\\s&;,"'\\\\[][^\\s&;,"']*`, 'gi'), `$1${HIDDEN}`],
  // user:password@host
  [/(:\/\/[^\s/:@]*:)[^\s/@]*@/g, `$1${HIDDEN}@`],
  [/\bsk_[A-Za-z0-9]{8,}/g, `sk_${HIDDEN}`],
  [/\$scrypt\$[^\s"']+/g, HIDDEN],
  [/\beyJ[A-Za-z0-9_.-]{16,}/g, HIDDEN],
]

/** Long enough for 240 random bits in base64. */
const LONG = /[A-Za-z0-9_+=-]{40,}/g

/** A random token has letters of both cases. Names of tables are long too, and so are ids in hexadecimal. */
const isToken = (text: string): boolean => /[a-z]/.test(text) && /[A-Z]/.test(text)

/** Longer than any message the service writes itself. Bounds the time that the patterns take. */
const MAX_CHARS = 262_144

/** Text that may be logged: whatever looks like a password, a key, a token or a cookie is gone, and so are control characters. */
export function redact(text: string): string {
  let clean = printable(text.slice(0, MAX_CHARS))
  for (const [pattern, replacement] of PATTERNS) clean = clean.replace(pattern, replacement)
  return clean.replace(LONG, (run) => (isToken(run) ? HIDDEN : run))
}

import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import { equalBytes, toBase64Url } from '../bytes.ts'
import type { SetupGate } from '../services.ts'

/** Derived from the installation's secret, so every process accepts the same token. */
export const setupToken = (secretKey: Uint8Array): string =>
  toBase64Url(hmac(sha256, secretKey, utf8ToBytes('setup 1')).subarray(0, 15))

/** Headers that proxies add. Browsers do not send them, and a caller who does only gets asked for the token. */
const OF_PROXIES = /^(x-forwarded-.*|forwarded|via|x-real-ip)$/

/**
 * Whether this request needs the token. If a local listener is reached under a host name that is not local, it is behind a
 * proxy, or another site has pointed its own host name at this machine (DNS rebinding). A proxy may also put the listener's own
 * address there, and is then recognised by the headers it adds.
 */
export const needsSetupToken = ({ isLocal }: SetupGate, { url, headers }: Request): boolean =>
  !isLocal ||
  !/^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(url).hostname) ||
  [...headers.keys()].some((name) => OF_PROXIES.test(name))

export const isSetupToken = ({ token }: SetupGate, given: string): boolean =>
  equalBytes(sha256(utf8ToBytes(given)), sha256(utf8ToBytes(token)))

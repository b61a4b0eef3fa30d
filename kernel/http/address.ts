/** Bytes of an IP address: 4, or 16. An IPv4-mapped IPv6 address gives 4 bytes. Null for anything else. */
export function parseAddress(text: string): readonly number[] | null {
  if (!text.includes(':')) return parseV4(text)
  const bytes = parseV6(text)
  return bytes !== null && MAPPED.every((byte, i) => bytes[i] === byte) ? bytes.slice(12) : bytes
}

/** ::ffff:0:0/96 */
const MAPPED = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255]

function parseV4(text: string): number[] | null {
  const parts = text.split('.')
  return parts.length === 4 && parts.every(isOctet) ? parts.map(Number) : null
}

/** Leading zeros are refused, because some parsers read them as octal. */
const isOctet = (text: string) => /^(0|[1-9]\d{0,2})$/.test(text) && Number(text) < 256

function parseV6(text: string): number[] | null {
  const halves = text.split('::')
  if (halves.length > 2) return null
  const [head, tail] = halves.map((half, i) => bytesOfGroups(half, i === halves.length - 1))
  if (!head) return null
  if (tail === undefined) return head.length === 16 ? head : null
  if (!tail || head.length + tail.length > 14) return null
  return [...head, ...Array<number>(16 - head.length - tail.length).fill(0), ...tail]
}

/** Groups of four hexadecimal digits; the last two of an address may stand as IPv4. */
function bytesOfGroups(text: string, isEnd: boolean): number[] | null {
  if (text === '') return []
  const groups = text.split(':')
  const last = isEnd && groups.at(-1)!.includes('.') ? parseV4(groups.pop()!) : []
  if (last === null || !groups.every((group) => /^[\da-f]{1,4}$/i.test(group))) return null
  return [...groups.flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255]), ...last]
}

/**
 * The rate limit subject of a caller without a credential. An IPv6 user has at least 2^64 addresses, so the /64 network is
 * the subject. Callers without a known address share one subject.
 */
export function addressSubject(address: string | null): string {
  const bytes = address === null ? null : parseAddress(address)
  if (bytes === null) return 'ip:unknown'
  if (bytes.length === 4) return `ip:${bytes.join('.')}`
  const groups = [0, 2, 4, 6].map((i) => (bytes[i]! * 256 + bytes[i + 1]!).toString(16))
  return `ip:${groups.join(':')}::/64`
}

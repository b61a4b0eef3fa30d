import { isIP, isIPv6 } from 'node:net'

/** The parts of a `Host` header, the name in lower case. */
export interface HostHeader {
  readonly name: string
  /** Empty when none is given. */
  readonly port: string
}

/**
 * Reads a `Host` header. Null unless it is a name or an address with a port at most: it becomes part of the request's URL, where
 * `[::1]/metrics?` would replace the path.
 */
export function parseHost(text: string): HostHeader | null {
  const [, name, port = ''] = /^(\[[\da-f:.]+\]|[\w.-]+)(?::(\d{1,5}))?$/i.exec(text) ?? []
  if (name === undefined || Number(port) > 65_535) return null
  if (name.startsWith('[') && !isIPv6(name.slice(1, -1))) return null
  // Names that end in a number must be an address of four bytes, and those of other alphabets must be well-formed.
  if (!URL.canParse(`http://${name}`)) return null
  return { name: name.toLowerCase(), port }
}

/**
 * Whether a request is meant for this service. A foreign name comes from a page that pointed its own name here, or from a
 * poisoned link. IP addresses and `localhost` are accepted, because they cannot be the name of another site.
 */
export function isOurHost({ name, port }: HostHeader, publicUrl: URL | undefined): boolean {
  if (publicUrl === undefined || name === 'localhost' || name.startsWith('[') || isIP(name) !== 0) return true
  return name === publicUrl.hostname && (port || defaultPort(publicUrl)) === (publicUrl.port || defaultPort(publicUrl))
}

const defaultPort = ({ protocol }: URL): string => (protocol === 'https:' ? '443' : '80')

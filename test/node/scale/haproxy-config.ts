import type { Member } from './patroni-config.ts'

const replaceOne = (text: string, from: RegExp | string, to: string): string => {
  if (text.search(from) < 0) throw new Error(`The shipped configuration has no ${from} any more.`)
  return text.replace(from, to)
}

/** Drops the servers of a section and puts others in their place. */
function withServers(section: string, servers: readonly string[]): string {
  const lines = section.trimEnd().split('\n')
  const kept = lines.filter((line) => !line.startsWith('  server '))
  if (kept.length === lines.length) throw new Error('The shipped configuration has no servers any more.')
  return `${[...kept, ...servers.map((server) => `  server ${server}`)].join('\n')}\n`
}

const NAMES = ['one', 'two', 'three'] as const

export interface WebPorts {
  readonly front: number
  readonly services: readonly number[]
  /** Where the floor is reached, and where its processes are. */
  readonly floorFront: number
  readonly floors: readonly number[]
  /** File of the socket through which servers are taken out. */
  readonly socket: string
}

/** The shipped example with other addresses and without TLS, and beside it the floor behind the same proxy. */
export function webConfig(shipped: string, { front, services, floorFront, floors, socket }: WebPorts): string {
  const plain = replaceOne(
    replaceOne(shipped, /^ {2}bind :80\n {2}bind :443 .*$/m, `  bind 127.0.0.1:${front}`),
    /^ {2}http-request redirect scheme https .*\n/m,
    '',
  )
  // Each connection takes two files, of which an account may have few.
  const small = replaceOne(plain, /^ {2}maxconn \d+$/m, `  maxconn 500\n  stats socket ${socket} mode 600 level admin`)
  const [head, backend] = small.split(/^(?=backend modulus$)/m) as [string, string]
  const floor = `
listen floor
  bind 127.0.0.1:${floorFront}
  balance leastconn
  option http-server-close
${floors.map((port, i) => `  server ${NAMES[i]} 127.0.0.1:${port}\n`).join('')}`
  return (
    head +
    withServers(
      backend,
      services.map((port, i) => `${NAMES[i]} 127.0.0.1:${port}`),
    ) +
    floor
  )
}

export interface DatabasePorts {
  readonly primary: number
  readonly replicas: number
}

/** The shipped way to PostgreSQL with other addresses. */
export function databaseConfig(shipped: string, ports: DatabasePorts, members: readonly Member[]): string {
  const bound = replaceOne(
    replaceOne(shipped, /bind :5432$/m, `bind 127.0.0.1:${ports.primary}`),
    /bind :5433$/m,
    `bind 127.0.0.1:${ports.replicas}`,
  )
  const servers = members.map(
    ({ name, postgresPort, patroniPort }) => `${name} 127.0.0.1:${postgresPort} port ${patroniPort}`,
  )
  const [head, ...listens] = bound.split(/^(?=listen )/m)
  return [head, ...listens.map((section) => withServers(section, servers))].join('\n')
}

import { readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Children } from './children.ts'
import { type DatabasePorts, databaseConfig, type WebPorts, webConfig } from './haproxy-config.ts'
import type { Member } from './patroni-config.ts'
import type { Programs } from './programs.ts'

const shipped = (name: string) => readFileSync(join('runtime/deploy', name), 'utf8')

export interface ProxyPlace {
  readonly folder: string
  readonly programs: Programs
  readonly children: Children
}

function startProxy({ folder, programs, children }: ProxyPlace, name: string, config: string): void {
  const file = join(folder, `${name}.cfg`)
  writeFileSync(file, config)
  children.start(name, programs.haproxy, ['-db', '-f', file])
}

/** The way to the primary and to the replicas. */
export function startDatabaseProxy(place: ProxyPlace, ports: DatabasePorts, members: readonly Member[]): void {
  startProxy(place, 'haproxy-postgres', databaseConfig(shipped('haproxy-postgres.cfg'), ports, members))
}

/** Takes servers of the proxy in front out of use, or lets them in again. */
export interface WebProxy {
  use(backend: 'modulus' | 'floor', count: number): Promise<void>
}

export function startWebProxy(place: ProxyPlace, ports: Omit<WebPorts, 'socket'>): WebProxy {
  const socket = join(place.folder, 'haproxy.sock')
  startProxy(place, 'haproxy', webConfig(shipped('haproxy.cfg'), { ...ports, socket }))
  return {
    async use(backend, count) {
      for (const [index, name] of ['one', 'two', 'three'].entries()) {
        const state = index < count ? 'ready' : 'maint'
        await command(socket, `set server ${backend}/${name} state ${state}`)
      }
    },
  }
}

async function command(path: string, line: string): Promise<void> {
  const socket = connect(path)
  socket.end(`${line}\n`)
  const answer = (await text(socket)).trim()
  if (answer !== '') throw new Error(`HAProxy: ${answer}`)
}

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fill, prepare, signIn, USERS } from '../../bench/prepare.ts'
import { freePort } from '../../bench/service.ts'
import { withClient } from '../../support/own-postgres.ts'
import { startPgBouncer } from '../../support/pgbouncer.ts'
import { type Children, pidOf, until } from './children.ts'
import { type Cluster, createDatabase, startCluster } from './cluster.ts'
import { requirePrograms } from './programs.ts'
import { startDatabaseProxy, startWebProxy, type WebProxy } from './proxies.ts'
import { type Services, startServices } from './services.ts'
import { SETTINGS } from './settings.ts'

/** All parts, running. */
export interface Rig {
  readonly cluster: Cluster
  readonly services: Services
  readonly proxy: WebProxy
  /** Ports of the proxy: the service, and the floor beside it. */
  readonly port: number
  readonly floorPort: number
  readonly keys: readonly string[]
  /** Tokens of browsers. */
  readonly sessions: readonly string[]
  /** The primary, past the pooler. */
  readonly dsn: string
  /** The floor does not outlive its database. */
  endFloors(): void
}

/** Settings of the pooler for a failover: it retries an unreachable server after a second, and lets no client wait for long. */
const POOLER = { server_login_retry: 1, server_connect_timeout: 3, query_wait_timeout: 5 }
const PROCESSES = 3
/** The floor has twenty connections a process, past the pooler. */
const MAX_CONNECTIONS = 150

export async function startRig(folder: string, children: Children): Promise<Rig> {
  const programs = requirePrograms()
  const place = { folder, programs, children }
  say('PostgreSQL under Patroni, a primary and two replicas')
  const cluster = await startCluster(folder, programs, children, MAX_CONNECTIONS)
  const ports = { primary: await freePort(), replicas: await freePort() }
  startDatabaseProxy(place, ports, cluster.members)
  const dsnAt = await createDatabase(cluster)
  const dsn = dsnAt(ports.primary)
  await until('the way to the primary', () => withClient(dsn, async () => true))
  const pooler = await startPgBouncer(dsn, SETTINGS.sessions, { parent: folder, settings: POOLER })
  children.keep(() => pooler.pid)
  say('the database of the service')
  const settings = {
    SVC_DB_DSN: pooler.dsn,
    SVC_DB_SESSION_DSN: dsn,
    SVC_DB_READ_REPLICA_DSN: dsnAt(ports.replicas),
    SVC_DB_MAX_OPEN_CONNS: String(SETTINGS.connections),
    SVC_SECRET_KEY: 'the secret of the services of the scale rig',
    SVC_DATA_DIR: folder,
    SVC_RATE_LIMIT_RPM: '0',
    SVC_TRUSTED_PROXIES: '127.0.0.1',
    SVC_DRAIN_SECONDS: '5',
  }
  const keys = prepare({ ...process.env, ...settings })
  await fill(`${dsn}?options=${encodeURIComponent('-c statement_timeout=0')}`)
  const sessions = await Promise.all(USERS.map((login) => signIn(dsn, login)))
  say('three processes')
  const port = await freePort()
  const services = await startServices(folder, children, await freePorts(PROCESSES), {
    ...settings,
    SVC_PUBLIC_URL: `http://127.0.0.1:${port}`,
  })
  const floors = await Promise.all(Array.from({ length: PROCESSES }, () => startFloorProcess(children, dsn)))
  const floorPort = await freePort()
  const proxy = startWebProxy(place, {
    front: port,
    services: services.ports,
    floorFront: floorPort,
    floors: floors.map(([, at]) => at),
  })
  await until('the proxy', async () => (await fetch(`http://127.0.0.1:${port}/api/ready`)).ok)
  return {
    cluster,
    services,
    proxy,
    port,
    floorPort,
    keys,
    sessions,
    dsn,
    endFloors() {
      for (const [child] of floors) child.kill('SIGKILL')
    },
  }
}

const say = (part: string) => console.log(`Starting ${part} …`)

async function freePorts(count: number): Promise<readonly number[]> {
  const ports: number[] = []
  while (ports.length < count) ports.push(await freePort())
  return ports
}

/** The argument with which this program is the floor. */
export const FLOOR = '--floor'

/** The process and its port. */
async function startFloorProcess(children: Children, dsn: string): Promise<readonly [ChildProcess, number]> {
  const child = spawn(process.execPath, [import.meta.filename, FLOOR, dsn], { stdio: ['ignore', 'pipe', 'inherit'] })
  children.keep(() => pidOf(child))
  const [port] = await once(child.stdout, 'data')
  return [child, Number(port)]
}

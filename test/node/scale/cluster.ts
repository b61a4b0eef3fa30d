import { existsSync, mkdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs'
import { chown } from 'node:fs/promises'
import { join } from 'node:path'
import { unprivilegedAccount } from '../../../runtime/node/embedded/unprivileged.ts'
import { freePort } from '../../bench/service.ts'
import { withClient } from '../../support/own-postgres.ts'
import { type Children, killTree, until } from './children.ts'
import { type Member, patroniConfig } from './patroni-config.ts'
import type { Programs } from './programs.ts'

/** Three servers of PostgreSQL under Patroni, one of which is the primary. */
export interface Cluster {
  readonly members: readonly Member[]
  readonly password: string
  primary(): Promise<Member>
  /** The replica that each commit waits for. */
  synchronous(): Promise<Member>
  /** Ends a member as a power cut of its machine does: Patroni and PostgreSQL. */
  kill(member: Member): void
  /** Stops a member as its administrator does; its replication ends in order. */
  stop(member: Member): Promise<void>
  start(member: Member): void
  /** Hands the work of the primary over to another member. */
  switchOver(): Promise<void>
  /** Waits until all are there, and one replica is synchronous. */
  whole(): Promise<void>
  postmaster(member: Member): number
}

const NAMES = ['one', 'two', 'three']
const PASSWORD = 'only-on-this-machine'

export async function startCluster(
  folder: string,
  programs: Programs,
  children: Children,
  maxConnections: number,
): Promise<Cluster> {
  const account = await unprivilegedAccount(folder)
  const own = async (name: string): Promise<string> => {
    const path = join(folder, name)
    mkdirSync(path, { mode: 0o700 })
    if (account) await chown(path, account.uid, account.gid)
    return path
  }
  const etcdPort = await startEtcd(await own('etcd'), programs, children, account)
  const members: Member[] = []
  for (const name of NAMES) {
    members.push({ name, postgresPort: await freePort(), patroniPort: await freePort() })
    const config = { binaries: programs.postgres, etcdPort, password: PASSWORD, maxConnections }
    const text = patroniConfig(members.at(-1)!, { ...config, folder: await own(name) })
    writeFileSync(join(folder, `${name}.json`), text, { mode: 0o644 })
  }
  const processes = new Map<Member, number>()
  const pidFile = ({ name }: Member) => join(folder, name, 'data/postmaster.pid')
  const postmaster = (member: Member) => Number(readFileSync(pidFile(member), 'utf8').split('\n')[0])
  /** A file that was left behind names a number that may be another's by now; PostgreSQL works in the folder of its data. */
  const running = (member: Member): number => {
    const pid = existsSync(pidFile(member)) ? postmaster(member) : 0
    const place = `/proc/${pid}/cwd`
    return existsSync(place) && readlinkSync(place) === join(folder, member.name, 'data') ? pid : 0
  }
  for (const member of members) children.keep(() => running(member))
  const start = (member: Member) => {
    const args = [join(folder, `${member.name}.json`)]
    const options = { account, env: { HOME: join(folder, member.name) } }
    processes.set(member, children.start(`patroni-${member.name}`, programs.patroni, args, options).pid!)
  }
  const find = async (path: string) => {
    for (const member of members) if (await isRole(member, path)) return member
    throw new Error(`No member answers to /${path}.`)
  }
  const cluster: Cluster = {
    members,
    password: PASSWORD,
    start,
    postmaster,
    primary: () => find('primary'),
    synchronous: () => find('synchronous'),
    kill(member) {
      const pid = postmaster(member)
      process.kill(processes.get(member)!, 'SIGKILL')
      killTree(pid)
    },
    async stop(member) {
      process.kill(processes.get(member)!, 'SIGTERM')
      await until(`${member.name} stops`, async () => !(await isRole(member, 'liveness')))
    },
    async switchOver() {
      const leader = await cluster.primary()
      const candidate = await cluster.synchronous()
      const body = JSON.stringify({ leader: leader.name, candidate: candidate.name })
      const response = await fetch(`http://127.0.0.1:${leader.patroniPort}/switchover`, { method: 'POST', body })
      if (!response.ok) throw new Error(`Patroni refuses: ${await response.text()}`)
    },
    whole: () => until('three members', () => isWhole(members), 180),
  }
  start(members[0]!)
  await until('a primary', async () => (await cluster.primary()) !== undefined, 120)
  for (const member of members.slice(1)) start(member)
  await cluster.whole()
  return cluster
}

async function startEtcd(
  folder: string,
  { etcd }: Programs,
  children: Children,
  account: Awaited<ReturnType<typeof unprivilegedAccount>>,
): Promise<number> {
  const [port, peerPort] = [await freePort(), await freePort()]
  const at = (number: number) => `http://127.0.0.1:${number}`
  const args = {
    'data-dir': join(folder, 'data'),
    'listen-client-urls': at(port),
    'advertise-client-urls': at(port),
    'listen-peer-urls': at(peerPort),
    'initial-advertise-peer-urls': at(peerPort),
    'initial-cluster': `default=${at(peerPort)}`,
  }
  const flags = Object.entries(args).map(([name, value]) => `--${name}=${value}`)
  // Version 3.4 of Debian asks for it on arm64.
  children.start('etcd', etcd, flags, { account, env: { ETCD_UNSUPPORTED_ARCH: process.arch } })
  await until('etcd answers', async () => (await fetch(`${at(port)}/health`)).ok)
  return port
}

/** Whether Patroni of a member says that it is that. */
const isRole = ({ patroniPort }: Member, path: string): Promise<boolean> =>
  fetch(`http://127.0.0.1:${patroniPort}/${path}`, { signal: AbortSignal.timeout(2_000) }).then(
    async (response) => {
      await response.body?.cancel()
      return response.ok
    },
    () => false,
  )

interface ClusterState {
  readonly members: readonly { readonly role: string; readonly state: string; readonly lag?: number | string }[]
}

async function isWhole(members: readonly Member[]): Promise<boolean> {
  for (const { patroniPort } of members) {
    const response = await fetch(`http://127.0.0.1:${patroniPort}/cluster`, { signal: AbortSignal.timeout(2_000) })
    const { members: seen } = (await response.json()) as ClusterState
    const roles = seen.map(({ role }) => role)
    const isReady = seen.every(
      ({ role, state, lag }) => /running|streaming/.test(state) && (role === 'leader' || lag === 0),
    )
    if (seen.length !== members.length || !isReady || !roles.includes('sync_standby')) return false
  }
  return true
}

/** The role and the database of the service; the address of that at a port. */
export async function createDatabase(cluster: Cluster): Promise<(port: number) => string> {
  const { postgresPort } = await cluster.primary()
  const dsn = (user: string, database: string, port: number) =>
    `postgresql://${user}:${encodeURIComponent(cluster.password)}@127.0.0.1:${port}/${database}`
  await withClient(dsn('postgres', 'postgres', postgresPort), async (client) => {
    await client.query(`create role modulus login password '${cluster.password}'`)
    await client.query(`alter role modulus set statement_timeout = '15s'`)
    // So that it sees the timeline of a replica at once after a failover.
    await client.query('grant pg_read_all_stats to modulus')
    await client.query('create database modulus owner modulus')
  })
  return (port) => dsn('modulus', 'modulus', port)
}

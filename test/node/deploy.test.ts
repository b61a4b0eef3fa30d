import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LIMITS } from '../../kernel/limits.ts'
import { CONFIG_KEYS } from '../../runtime/config.ts'
import { PING_MS } from '../../runtime/node/bus/bus.ts'
import { KEEP_ALIVE_MS, WAIT_FOR_KEEP_ALIVE } from '../../runtime/node/server.ts'

const HOME = 'runtime/deploy'
const read = (name: string) => readFileSync(join(HOME, name), 'utf8')

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'modulus-deploy-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const FOLDERS = [...(process.env['PATH'] ?? '').split(':'), '/usr/sbin', '/sbin']
const has = (tool: string) => FOLDERS.some((path) => existsSync(join(path, tool)))

/** Where the tool that reads a file is not installed, the name of the test says so, and its structure is still checked. */
const byTool = (...tools: readonly string[]) => {
  const missing = tools.filter((tool) => !has(tool))
  return missing.length === 0
    ? { isThere: true, says: `by ${tools[0]}` }
    : { isThere: false, says: `not by ${tools[0]}, since ${missing.join(' and ')} is not installed` }
}

/** Runs a tool; throws its output if it reports a problem. */
function run(tool: string, ...args: readonly string[]): string {
  const env = { ...process.env, PATH: FOLDERS.join(':') }
  return execFileSync(tool, args, { env, encoding: 'utf8', stdio: 'pipe' })
}

/** A copy of a file that names other paths, for tools that look whether they are there. */
function copy(name: string, paths: Readonly<Record<string, string>>): string {
  const file = join(folder, name)
  writeFileSync(
    file,
    Object.entries(paths).reduce((text, [from, to]) => text.replaceAll(from, to), read(name)),
  )
  return file
}

function certificate(): { readonly cert: string; readonly key: string; readonly both: string } {
  const [cert, key, both] = ['cert.pem', 'key.pem', 'both.pem'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  const names = ['-subj', '/CN=erp.example.com', '-days', '1']
  run('openssl', 'req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...names, '-keyout', key, '-out', cert)
  writeFileSync(both, readFileSync(cert, 'utf8') + readFileSync(key, 'utf8'))
  return { cert, key, both }
}

/** A body of the largest upload passes, and one that is much larger does not. */
const BODY_MB = Math.ceil(LIMITS.uploadBodyBytes / 1_000_000)

const nginx = byTool('nginx', 'openssl')

test(`nginx passes on sockets, bodies and addresses (read ${nginx.says})`, () => {
  const text = read('nginx.conf')
  expect(text).toContain(`client_max_body_size ${BODY_MB}m;`)
  for (const [name, value] of Object.entries({
    Host: '$http_host',
    Upgrade: '$http_upgrade',
    Connection: '$connection_upgrade',
    'X-Forwarded-For': '$proxy_add_x_forwarded_for',
  }))
    expect(text).toContain(`proxy_set_header ${name} ${value};`)
  expect(text.match(/\{/g)).toHaveLength(text.match(/\}/g)!.length)
  if (!nginx.isThere) return
  const { cert, key } = certificate()
  const file = copy('nginx.conf', {
    '/etc/modulus/tls/fullchain.pem': cert,
    '/etc/modulus/tls/privkey.pem': key,
    'server_tokens off;': 'server_tokens off; access_log off;',
  })
  const globals = `pid ${join(folder, 'nginx.pid')}; error_log stderr;`
  run('nginx', '-t', '-q', '-c', file, '-p', folder, '-g', globals)
})

const haproxy = byTool('haproxy', 'openssl')

test(`HAProxy asks who is ready, and passes on sockets, bodies and addresses (read ${haproxy.says})`, () => {
  const text = read('haproxy.cfg')
  for (const line of ['uri /api/ready', 'option forwardfor', 'timeout tunnel', `gt ${BODY_MB}000000`])
    expect(text).toContain(line)
  if (!haproxy.isThere) return
  const file = copy('haproxy.cfg', { '/etc/modulus/tls/erp.example.com.pem': certificate().both })
  run('haproxy', '-c', '-q', '-f', file)
})

test(`HAProxy connects to the current primary and replicas, and cuts connections to other servers (read ${haproxy.says})`, () => {
  const text = read('haproxy-postgres.cfg')
  for (const line of ['uri /primary', 'uri /replica', 'on-marked-down shutdown-sessions']) expect(text).toContain(line)
  if (haproxy.isThere) run('haproxy', '-c', '-q', '-f', join(HOME, 'haproxy-postgres.cfg'))
})

/** The seconds that a file gives for something. */
const secondsOf = (file: string, setting: string): number =>
  Number(new RegExp(`^\\s*(?:# .*)?\\S*${setting}:?;? "?(\\d+)`, 'm').exec(read(file))?.[1])

test.each([
  ['nginx.conf', 'proxy_read_timeout'],
  ['nginx.conf', 'proxy_send_timeout'],
  ['haproxy.cfg', 'timeout tunnel'],
  ['kubernetes.yaml', 'proxy-read-timeout'],
  ['kubernetes.yaml', 'proxy-send-timeout'],
])('%s keeps a socket of which two signs of life are lost (%s)', (file, setting) => {
  expect(secondsOf(file, setting)).toBeGreaterThan((2 * PING_MS) / 1_000)
})

test('no proxy sends a request on a connection that the process is about to close', () => {
  for (const [file, setting] of [
    ['nginx.conf', 'keepalive_timeout'],
    ['kubernetes.yaml', 'upstream-keepalive-timeout'],
  ] as const)
    expect(secondsOf(file, setting), file).toBeLessThan(KEEP_ALIVE_MS / 1_000)
  expect(read('haproxy.cfg')).toMatch(/^ {2}option http-server-close$/m)
})

test('a stop is noticed before the port is closed, and has the time that it may take', () => {
  const drain = Number(CONFIG_KEYS.drain_seconds.fallback)
  const [, every, times] = /check inter (\d+)s fall (\d+)/.exec(read('haproxy.cfg'))!
  expect(Number(every) * Number(times)).toBeLessThan(drain)
  expect(secondsOf('kubernetes.yaml', 'SVC_DRAIN_SECONDS')).toBe(drain)
  const readiness = read('kubernetes.yaml').split('readinessProbe:')[1]!
  expect(Number(/periodSeconds: (\d+)/.exec(readiness)![1])).toBeLessThan(drain)
  const whole = drain + WAIT_FOR_KEEP_ALIVE.graceMs / 1_000 + 2
  expect(secondsOf('kubernetes.yaml', 'terminationGracePeriodSeconds')).toBeGreaterThan(whole)
  expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(read('modulus.service'))![1])).toBeGreaterThan(whole)
})

const systemd = byTool('systemd-analyze')

test(`the unit runs the package as an unprivileged user (read ${systemd.says})`, () => {
  const text = read('modulus.service')
  for (const line of ['DynamicUser=yes', 'NoNewPrivileges=yes', 'ProtectSystem=strict', 'Restart=on-failure'])
    expect(text.split('\n')).toContain(line)
  if (!systemd.isThere) return
  const file = copy('modulus.service', { '/usr/bin/node': process.execPath })
  run('systemd-analyze', 'verify', '--man=no', file)
})

const promtool = byTool('promtool')
const rules = () =>
  read('alerts.yaml')
    .split(/^ {6}- alert: /m)
    .slice(1)

test(`every alert has an expression, a severity and a sentence (read ${promtool.says})`, () => {
  expect(rules().length).toBeGreaterThan(5)
  for (const rule of rules())
    for (const part of [
      /^ {8}expr: \S/m,
      /^ {8}labels: \{ severity: (critical|warning) \}$/m,
      /^ {10}summary: [A-Z].*\.$/m,
    ])
      expect(rule).toMatch(part)
  if (promtool.isThere) expect(run('promtool', 'check', 'rules', join(HOME, 'alerts.yaml'))).toContain('SUCCESS')
})

test('alerts and panels use figures that the service has, and the panels all of them', () => {
  const declarations = ['runtime/figures.ts', 'runtime/node/measure/metrics.ts'].map((path) =>
    readFileSync(path, 'utf8'),
  )
  const known = [...declarations.join('').matchAll(/name: '(svc_\w+)'/g)].map((m) => m[1]!)
  const namesIn = (text: string) =>
    new Set([...text.matchAll(/svc_[a-z_]+/g)].map(([name]) => name.replace(/_bucket$/, '')))
  const { panels } = JSON.parse(read('grafana.json')) as { panels: { targets: { expr: string }[] }[] }
  const drawn = namesIn(panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)).join('\n'))
  expect([...namesIn(read('alerts.yaml'))].filter((name) => !known.includes(name))).toEqual([])
  expect([...drawn].sort()).toEqual(known.toSorted())
})

describe('the container', () => {
  const text = read('Containerfile')

  test('is built in two stages, runs as no root, and is asked whether it lives', () => {
    expect(text.match(/^FROM /gm)).toHaveLength(2)
    expect(text).toMatch(/^USER node$/m)
    expect(text).toMatch(/^HEALTHCHECK [\s\S]*\/api\/health/m)
    expect(text.indexOf('\nUSER node')).toBeGreaterThan(text.lastIndexOf('\nRUN '))
  })

  test('has every file that the build needs', () => {
    const copied = [...text.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, names]) => names!.split(' '))
    expect(copied.filter((name) => !existsSync(name))).toEqual([])
    const { files } = JSON.parse(readFileSync('package.json', 'utf8')) as { files: string[] }
    const needed = files.filter((name) => /^[a-z]+$/.test(name))
    expect(needed.filter((name) => !copied.includes(name))).toEqual([])
  })
})

test('the manifest for Kubernetes names probes, limits and a user that exist', () => {
  const text = read('kubernetes.yaml')
  const documents = text.split(/^---$/m)
  expect(documents.map((each) => /^kind: (\w+)$/m.exec(each)?.[1])).toEqual([
    ...['ConfigMap', 'Deployment', 'PodDisruptionBudget', 'Service', 'Service', 'Ingress'],
  ])
  // Not reached from outside, as behind the other proxies.
  const hidden = documents.at(-1)!.matchAll(/path: (\S+)\n\s+pathType: Prefix\n\s+backend: [&*]inside$/gm)
  expect([...hidden].map(([, path]) => path)).toEqual(['/metrics', '/internal'])
  for (const line of ['runAsNonRoot: true', 'readOnlyRootFilesystem: true', 'path: /api/ready', 'path: /api/health'])
    expect(text).toContain(line)
  expect(text).toContain(`proxy-body-size: ${BODY_MB}m`)
  expect(text).not.toContain('\t')
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
  expect(text).toContain(`modulus:${version}`)
})

test('every setting that a file names is one', () => {
  const named = readdirSync(HOME).flatMap((name) => [...read(name).matchAll(/\bSVC_([A-Z_]+)/g)].map((m) => m[1]!))
  expect(named.length).toBeGreaterThan(5)
  expect(named.filter((name) => !Object.hasOwn(CONFIG_KEYS, name.toLowerCase()))).toEqual([])
})

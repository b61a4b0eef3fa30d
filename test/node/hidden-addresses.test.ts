import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Listener, listen } from '../../runtime/node/server.ts'
import { freePort, untilListening } from '../support/ports.ts'
import { sendRaw, statusOf } from '../support/raw-socket.ts'
import { webConfig } from './scale/haproxy-config.ts'

/** What is only for the machines beside the service, through the shipped proxies, however its address is written. */

const HIDDEN = ['/metrics', '/metrics/', '/metrics//', '/metrics?a=1', '/internal/tick', '/internal/tick/', '/internal']
/** A URL resolves these; a proxy may not. */
const ROUNDABOUT = [
  ...['/./metrics', '/web/../metrics', '/web/%2e%2e/metrics', '/web/%2E./metrics', '/web/.%2e/internal/tick'],
  ...['/web\\..\\metrics', '/.\\metrics', '/metrics/.', '/metrics/x/..', '/metrics#x'],
]
const PUBLIC = ['/', '/web/home', '/web/..hidden', '/web/.well-known/x', '/api/rpc?path=/../metrics', '/metricsystem']

const shipped = (name: string) => readFileSync(join('runtime/deploy', name), 'utf8')

interface Proxy {
  readonly program: string
  readonly file: string
  config(port: number, service: number, folder: string): string
  args(file: string): readonly string[]
}

const PROXIES: Readonly<Record<'nginx' | 'HAProxy', Proxy>> = {
  nginx: {
    program: '/usr/sbin/nginx',
    file: 'nginx.conf',
    config: (port, service, folder) =>
      `pid ${join(folder, 'nginx.pid')};\nerror_log stderr;\n${shipped('nginx.conf')
        .replace(/^ {2}server \{\n {4}listen 80;[^}]*\}\n/m, '')
        .replace('listen 443 ssl http2;', `listen 127.0.0.1:${port};`)
        .replace('server_tokens off;', 'server_tokens off; access_log off;')
        .replaceAll(/^ *ssl_.*\n/gm, '')
        .replaceAll(/^ *server 127\.0\.0\.1:\d+/gm, `server 127.0.0.1:${service}`)}`,
    args: (file) => ['-c', file, '-g', 'daemon off;'],
  },
  HAProxy: {
    program: '/usr/sbin/haproxy',
    file: 'haproxy.cfg',
    config: (port, service, folder) =>
      webConfig(shipped('haproxy.cfg'), {
        ...{ front: port, services: [service], floorFront: 0, floors: [], socket: join(folder, 'haproxy.sock') },
      }).replace(/\nlisten floor[\s\S]*$/, '\n'),
    args: (file) => ['-db', '-f', file],
  },
}

let listener: Listener
let reached: string[] = []
beforeAll(async () => {
  const app = {
    async fetch({ url }: Request) {
      const { pathname } = new URL(url)
      if (pathname !== '/api/ready') reached.push(pathname)
      return new Response(pathname)
    },
  }
  listener = await listen(app, { host: '127.0.0.1', port: 0, publicUrl: 'https://erp.example.com:8443' })
})
afterAll(() => listener.close())

const statusAt = async (url: string, path: string): Promise<number> =>
  statusOf(await sendRaw(url, `GET ${path} HTTP/1.1\r\nHost: erp.example.com:8443\r\nConnection: close\r\n\r\n`))

const statusesAt = async (url: string, paths: readonly string[]): Promise<Record<string, number>> => {
  const found: Record<string, number> = {}
  for (const path of paths) found[path] = await statusAt(url, path)
  return found
}

const allOf = (paths: readonly string[], status: number) => Object.fromEntries(paths.map((path) => [path, status]))

test('the listener takes no path that a proxy and a URL read differently', async () => {
  expect(await statusesAt(listener.url, ROUNDABOUT)).toEqual(allOf(ROUNDABOUT, 400))
  expect(await statusesAt(listener.url, PUBLIC)).toEqual(allOf(PUBLIC, 200))
})

describe.each(Object.entries(PROXIES))('%s', (_name, { program, file, config, args }) => {
  let folder: string
  let url: string
  let stop = async () => {}
  beforeAll(async () => {
    if (!existsSync(program)) return
    folder = mkdtempSync(join(tmpdir(), 'modulus-proxy-'))
    const port = await freePort()
    const path = join(folder, file)
    writeFileSync(path, config(port, Number(new URL(listener.url).port), folder))
    const child = spawn(program, args(path), { stdio: 'ignore' })
    const exit = once(child, 'exit')
    stop = async () => {
      child.kill()
      await exit
      rmSync(folder, { recursive: true })
    }
    await untilListening(port, child)
    url = `http://127.0.0.1:${port}`
  })
  afterAll(() => stop())

  // A proxy is tested where its package is installed.
  test.skipIf(!existsSync(program))('keeps hidden addresses from outside, however they are written', async () => {
    reached = []
    expect(await statusesAt(url, HIDDEN)).toEqual(allOf(HIDDEN, 404))
    for (const path of ROUNDABOUT) expect(await statusAt(url, path), path).toBeOneOf([400, 404])
    expect(reached).toEqual([])
  })

  test.skipIf(!existsSync(program))('passes on everything else, with the port of the public address', async () => {
    expect(await statusesAt(url, PUBLIC)).toEqual(allOf(PUBLIC, 200))
  })
})

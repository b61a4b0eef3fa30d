import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { LIMITS } from '../../kernel/limits.ts'
import type { Agent } from '../support/agent.ts'
import { cpuMs } from '../support/cpu-time.ts'
import { describeHost } from '../support/hosts.ts'
import { type PostProcess, startPostProcess } from '../support/post-process.ts'

const STALL_MS = 50
const MAX_RUNS = 60
const MEGABYTE = LIMITS.rpcBodyBytes
const fill = (piece: string) => piece.repeat(Math.floor(MEGABYTE / piece.length))
const around = (args: string) => `{"model":"core.country","method":"search","args":${args}}`
const list = (count: number, item: (index: number) => unknown) =>
  JSON.stringify(Array.from({ length: count }, (_, i) => item(i)))

const BOMBS: readonly (readonly [name: string, body: string])[] = [
  ['a megabyte of [', fill('[')],
  ['a megabyte of {"a":', fill('{"a":')],
  ['a megabyte of commas', `[${fill('1,').slice(0, -3)}1]`],
  ['a megabyte of quotes', fill('"')],
  ['a megabyte of backslashes', `"${fill('\\').slice(2)}"`],
  ['a megabyte of escapes', `"${fill('\\u0041').slice(6)}"`],
  ['a megabyte of one text', around(`[[["name","=","${'x'.repeat(MEGABYTE - 200)}"]]]`)],
  ['a megabyte of digits', `[${'1'.repeat(MEGABYTE - 2)}]`],
  ['twenty thousand keys', `{${Array.from({ length: 19_000 }, (_, i) => `"k${i}":1`).join()}}`],
  ['a domain of ten thousand leaves', around(`[${list(6_000, () => ['name', '=', 'x'])}]`)],
  ['a domain of operators', around(`[${list(19_000, () => '!')}]`)],
  ['a deep domain', around(`[${'["country_id","any",['.repeat(14)}${']]'.repeat(14)}]`)],
  ['nineteen thousand ids', around(`[[["id","in",${list(19_000, (i) => i)}]]]`)],
  ['a long pattern', around(`[[["name","=ilike","${'%a'.repeat(3_000)}"]]]`)],
  ['ids to read', `{"model":"core.country","method":"read","args":[${list(19_000, (i) => i)}]}`],
  ['records to create', `{"model":"core.tag","method":"create_many","args":[${list(9_000, () => ({}))}]}`],
  ['fields to read', around(`[[],${list(19_000, () => 'name')}]`).replace('search', 'search_read')],
  ['an offset beyond reason', '{"model":"core.country","method":"search","args":[],"kwargs":{"offset":1e308}}'],
  ['a long model', `{"model":"${'x'.repeat(MEGABYTE - 100)}","method":"search","args":[]}`],
  ['a long method', `{"model":"core.country","method":"${'x'.repeat(MEGABYTE - 100)}","args":[]}`],
  [
    'a long unknown kwarg',
    `{"model":"core.country","method":"search","args":[],"kwargs":{"${'x'.repeat(MEGABYTE - 100)}":1}}`,
  ],
  ['a long order', `{"model":"core.country","method":"search","args":[],"kwargs":{"order":"${'x,'.repeat(400_000)}"}}`],
]

async function measureReading(sender: PostProcess): Promise<number> {
  const server = createServer(async (req, res) => {
    await text(req)
    res.end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const least = await cpuMs(() => sender.post(`http://127.0.0.1:${port}/`, {}, fill('[')))
  server.closeAllConnections()
  server.close()
  return least
}

describeHost('bombs', 'listener', (host) => {
  let admin: Agent
  let sender: PostProcess
  /** CPU time this process takes at least to receive a megabyte, whatever is done with it then. */
  let readingMs: number
  beforeAll(async () => {
    admin = await host.apiKey('admin')
    sender = startPostProcess()
    readingMs = await measureReading(sender)
  })
  afterAll(() => sender.close())

  const explode = async (body: string) => {
    const delay = monitorEventLoopDelay({ resolution: 1 })
    const cpu = process.cpuUsage()
    delay.enable()
    const answer = await sender.post(
      `${host.url}/api/rpc`,
      { 'content-type': 'application/json', ...admin.headers },
      body,
    )
    delay.disable()
    const { user, system } = process.cpuUsage(cpu)
    // A stall that is longer than the CPU time of this process comes from other processes.
    return { ...answer, stalledMs: Math.min(delay.max / 1e6, (user + system) / 1e3 - readingMs) }
  }

  test.each(BOMBS)('%s: a 4xx, and the loop never stalls for 50 ms', async (_name, body) => {
    let least = Number.POSITIVE_INFINITY
    // Our code would stall the loop in every run, so one run without a stall proves that another process caused the others.
    for (let run = 0; run < MAX_RUNS && least >= STALL_MS; run++) {
      // The machine may have become slower since.
      if (run > 0) readingMs = Math.max(readingMs, await measureReading(sender))
      const { status, text: answer, stalledMs } = await explode(body)
      expect(status).toBeGreaterThanOrEqual(400)
      expect(status).toBeLessThan(500)
      expect(answer.length).toBeLessThan(2_000)
      least = Math.min(least, stalledMs)
    }
    expect(least).toBeLessThan(STALL_MS)
  })

  test('later callers are not affected', async () => {
    await Promise.all(BOMBS.map(([, body]) => admin.post(body)))
    expect(await admin.rpc('core.country', 'search', [], { limit: 1 })).toMatchObject({ ok: true })
  })
})

import { Agent, request } from 'node:http'
import { postgresTime, processorTime } from './processor-time.ts'
import type { Rpc } from './scenario.ts'

export interface Figures {
  readonly perSecond: number
  readonly p99: number
  /** Processor time of the server process per call, in ms; NaN where the system does not tell. */
  readonly cpu: number
  /** The same of PostgreSQL. */
  readonly sqlCpu: number
}

export interface Target {
  readonly port: number
  readonly pid: number
  /** Of several users. */
  readonly keys: readonly string[]
  /** Tokens of their browsers. */
  readonly sessions: readonly string[]
  /** Added to the address of RPC. */
  readonly suffix?: string
}

/** Lets a server open its connections and, given some seconds, optimise its code; refusals meanwhile are normal and ignored. */
export async function warmUp(
  target: Target,
  body: (n: number) => Rpc,
  concurrency: number,
  seconds = 0,
): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: concurrency })
  const send = (n: number) => call(agent, target, body(n), n).catch(() => undefined)
  const end = performance.now() + seconds * 1_000
  for (let turn = 0; turn < 30 || performance.now() < end; turn++)
    await Promise.all(Array.from({ length: concurrency }, (_, i) => send(turn * concurrency + i)))
  agent.destroy()
}

export interface Turn {
  /** Calls at once. */
  readonly concurrency: number
  readonly seconds: number
  /** Number of the first call. */
  readonly from: number
  readonly postgresPid: number
}

/** Sends calls over kept-alive connections for a while, `concurrency` at a time, and measures them. */
export async function measure(
  target: Target,
  body: (n: number) => Rpc,
  { concurrency, seconds, from, postgresPid }: Turn,
): Promise<Figures> {
  const agent = new Agent({ keepAlive: true, maxSockets: concurrency })
  const times: number[] = []
  let n = from
  const usedBefore = processorTime(target.pid)
  const sqlBefore = postgresTime(postgresPid)
  const start = performance.now()
  const end = start + seconds * 1_000
  const worker = async (_: unknown, index: number) => {
    while (performance.now() < end) {
      const rpc = body(n++)
      const sent = performance.now()
      await call(agent, target, rpc, index)
      times.push(performance.now() - sent)
    }
  }
  await Promise.all(Array.from({ length: concurrency }, worker))
  const elapsed = performance.now() - start
  agent.destroy()
  times.sort((a, b) => a - b)
  return {
    perSecond: (times.length * 1_000) / elapsed,
    p99: times[Math.floor(times.length * 0.99)] ?? Number.NaN,
    cpu: (processorTime(target.pid) - usedBefore) / times.length,
    sqlCpu: (postgresTime(postgresPid) - sqlBefore) / times.length,
  }
}

/** `index` chooses the user who calls. */
export function call(agent: Agent, target: Target, rpc: Rpc, index: number): Promise<unknown> {
  const { text = '', ...options } =
    rpc.method === 'GET' ? getOptions(target, rpc, index) : postOptions(target, rpc, index)
  return new Promise((resolve, reject) => {
    const sent = request({ agent, host: '127.0.0.1', port: target.port, ...options }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => {
        const answer = Buffer.concat(chunks).toString()
        if (response.statusCode === 200) resolve(answer)
        else reject(new Error(`${response.statusCode}: ${answer.slice(0, 300)}`))
      })
    })
    sent.on('error', reject)
    sent.end(text)
  })
}

interface Sending {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string | number>>
  readonly text?: string
}

function postOptions({ keys, suffix = '' }: Target, rpc: Rpc, index: number): Sending {
  const text = JSON.stringify(rpc)
  const headers = {
    'content-type': 'application/json',
    'x-api-key': keys[index % keys.length]!,
    'content-length': Buffer.byteLength(text),
  }
  return { method: 'POST', path: `/api/rpc${suffix}`, headers, text }
}

function getOptions({ sessions }: Target, { model: path, args: [query] }: Rpc, index: number): Sending {
  const search = new URLSearchParams(query as Record<string, string>)
  return {
    method: 'GET',
    path: `${path}?${search}`,
    headers: { cookie: `svc_session=${sessions[index % sessions.length]}` },
  }
}

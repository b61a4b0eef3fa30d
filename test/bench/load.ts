import { Agent, request } from 'node:http'
import type { Rpc } from './scenario.ts'

export interface Figures {
  readonly perSecond: number
  readonly p99: number
}

/** Lets a server open its connections and warm its code; refusals while it does so are part of starting up. */
export async function warmUp(port: number, key: string, body: (n: number) => Rpc, concurrency: number): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: concurrency })
  const send = (n: number) => call(agent, port, key, JSON.stringify(body(n))).catch(() => undefined)
  for (let turn = 0; turn < 30; turn++)
    await Promise.all(Array.from({ length: concurrency }, (_, i) => send(turn * concurrency + i)))
  agent.destroy()
}

/** Sends calls over kept-alive connections for a while, `concurrency` at a time, and measures them. */
export async function measure(
  port: number,
  key: string,
  body: (n: number) => Rpc,
  { concurrency, seconds, from }: { readonly concurrency: number; readonly seconds: number; readonly from: number },
): Promise<Figures> {
  const agent = new Agent({ keepAlive: true, maxSockets: concurrency })
  const times: number[] = []
  let n = from
  const start = performance.now()
  const end = start + seconds * 1_000
  const worker = async () => {
    while (performance.now() < end) {
      const text = JSON.stringify(body(n++))
      const sent = performance.now()
      await call(agent, port, key, text)
      times.push(performance.now() - sent)
    }
  }
  await Promise.all(Array.from({ length: concurrency }, worker))
  const elapsed = performance.now() - start
  agent.destroy()
  times.sort((a, b) => a - b)
  return { perSecond: (times.length * 1_000) / elapsed, p99: times[Math.floor(times.length * 0.99)] ?? Number.NaN }
}

export function call(agent: Agent, port: number, key: string, text: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'x-api-key': key, 'content-length': Buffer.byteLength(text) }
    const sent = request({ agent, host: '127.0.0.1', port, path: '/api/rpc', method: 'POST', headers }, (response) => {
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

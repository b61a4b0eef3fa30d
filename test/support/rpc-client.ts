import { Agent, type IncomingHttpHeaders, request } from 'node:http'
import type { Envelope } from './agent.ts'
import { reasonFlaw } from './reasons.ts'

export interface Call {
  readonly model: string
  readonly method: string
  readonly args: readonly unknown[]
}

/** How one request ended, for tests in which not every request ends well. */
export interface Reply {
  /** HTTP status; 0 without an answer. */
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Envelope | null
  /** Why there is no answer. `refused`: the service never had the request. `broken`: it may have had it. */
  readonly fault: 'refused' | 'broken' | null
  readonly startedAt: number
  readonly ms: number
}

export interface RpcClient {
  rpc(call: Call): Promise<Reply>
  get(path: string): Promise<Reply>
  close(): void
}

/** Null if a proxy in front of the service has answered. */
function parseEnvelope(text: string): Envelope | null {
  return text.startsWith('{') ? JSON.parse(text) : null
}

/** Longer than anything the service may take, on a busy machine too. */
const HANG_MS = 120_000

/** A client over connections that are kept open, one for each request at a time. Rejects only when an error has no reason. */
export function openRpcClient(url: string, key: string): RpcClient {
  // Only with a timeout of its own does the agent close idle connections when the server's keep-alive hint says so. It must differ from the
  // timeout of a request: if they are equal, the agent takes it for already set, and the request keeps that of the idle connection.
  const agent = new Agent({ keepAlive: true, maxSockets: 500, timeout: HANG_MS / 2 })
  const send = (method: string, path: string, body: string | undefined) =>
    new Promise<Reply>((resolve, reject) => {
      const startedAt = performance.now()
      const end = (part: Partial<Reply>) =>
        resolve({
          ...{ status: 0, headers: {}, body: null, fault: null, startedAt, ms: performance.now() - startedAt },
          ...part,
        })
      const headers = { 'x-api-key': key, ...(body !== undefined && { 'content-type': 'application/json' }) }
      const req = request(url + path, { agent, method, headers, timeout: HANG_MS }, (res) => {
        let text = ''
        res.setEncoding('utf8')
        res.on('data', (chunk) => {
          text += chunk
        })
        res.on('end', () => {
          const body = parseEnvelope(text)
          const flaw = body?.error && reasonFlaw(body.error.code, body.error.details)
          if (flaw) reject(new Error(flaw))
          else end({ status: res.statusCode!, headers: res.headers, body })
        })
        res.on('error', () => end({ fault: 'broken' }))
      })
      // A connection that was open before has been accepted; a new one that fails may have ended in the listener's queue.
      req.on('error', () => end({ fault: req.reusedSocket ? 'broken' : 'refused' }))
      req.on('timeout', () => req.destroy())
      req.end(body)
    })
  return {
    rpc: (call) => send('POST', '/api/rpc', JSON.stringify(call)),
    get: (path) => send('GET', path, undefined),
    close: () => agent.destroy(),
  }
}

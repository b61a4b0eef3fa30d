import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

/** Posts on a thread of its own, so that only the server's work is on this one's event loop. */
const SENDER = `
const { parentPort } = require('node:worker_threads')
parentPort.on('message', async ({ url, headers, body }) => {
  const response = await fetch(url, { method: 'POST', headers, body })
  parentPort.postMessage({ status: response.status, text: await response.text() })
})`

export interface PostThread {
  post(url: string, headers: Readonly<Record<string, string>>, body: string): Promise<{ status: number; text: string }>
  close(): Promise<unknown>
}

export function startPostThread(): PostThread {
  const worker = new Worker(SENDER, { eval: true })
  return {
    async post(url, headers, body) {
      worker.postMessage({ url, headers, body })
      const [answer] = await once(worker, 'message')
      return answer
    },
    close: () => worker.terminate(),
  }
}

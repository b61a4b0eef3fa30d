import { spawn } from 'node:child_process'
import { once } from 'node:events'

const SENDER = `
process.on('message', async ({ url, headers, body }) => {
  const response = await fetch(url, { method: 'POST', headers, body })
  process.send({ status: response.status, text: await response.text() })
})`

export interface PostProcess {
  post(url: string, headers: Readonly<Record<string, string>>, body: string): Promise<PostAnswer>
  close(): void
}

export interface PostAnswer {
  readonly status: number
  readonly text: string
}

/** Posts from a process of its own, so that this one's event loop and CPU time are the server's alone. */
export function startPostProcess(): PostProcess {
  const child = spawn(process.execPath, ['-e', SENDER], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  return {
    async post(url, headers, body) {
      child.send({ url, headers, body })
      const [answer] = await once(child, 'message')
      return answer
    },
    close: () => void child.kill(),
  }
}

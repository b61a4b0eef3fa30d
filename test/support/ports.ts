import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** Until a program that was started listens; fails when it has ended instead. */
export async function untilListening(port: number, child: { readonly exitCode: number | null }): Promise<void> {
  while (!(await answers(port))) {
    if (child.exitCode !== null) throw new Error(`The program did not start: it ended with ${child.exitCode}.`)
    await sleep(20)
  }
}

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    const end = (is: boolean) => () => {
      socket.destroy()
      resolve(is)
    }
    socket.on('connect', end(true)).on('error', end(false))
  })

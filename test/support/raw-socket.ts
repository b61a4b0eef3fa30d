import { once } from 'node:events'
import { connect } from 'node:net'

/** Sends bytes to a listener as they are and gives back everything it answers until it closes the connection. */
export async function sendRaw(url: string, ...parts: readonly (string | Uint8Array)[]): Promise<string> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  let answer = ''
  socket.on('data', (data) => {
    answer += data.toString('latin1')
  })
  // A server that has answered may close before it has read everything.
  socket.on('error', () => {})
  for (const part of parts) socket.write(part)
  await once(socket, 'close')
  return answer
}

export const statusOf = (answer: string): number => Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1])

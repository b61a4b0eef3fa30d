import { createServer } from 'node:net'

/** Why the port of the service cannot be used, in one line that names the setting. */
const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program uses it. Set http_port to a free one, or stop the other program',
  EACCES: 'this user may not open it. Set http_port to one above 1023',
  EADDRNOTAVAIL: 'this machine does not have the address. Set http_host to one it has',
}

/** Turns the error of a listener into that line. */
export function explainListenError(error: unknown, host: string, port: number): Error {
  const { code, message } = Object(error) as NodeJS.ErrnoException
  return new Error(`Cannot listen on port ${port} of ${host}: ${REASONS[code ?? ''] ?? message}.`, { cause: error })
}

/** Rejects if the port is not free. Called first at a start, before slower steps. */
export async function requireFreePort(host: string, port: number): Promise<void> {
  const probe = createServer()
  try {
    await new Promise<void>((resolve, reject) => probe.once('error', reject).listen(port, host, resolve))
  } catch (error) {
    throw explainListenError(error, host, port)
  }
  await new Promise((resolve) => probe.close(resolve))
}

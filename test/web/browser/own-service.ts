import { afterEach } from 'vitest'
import { type Service, startService } from '../../support/service.ts'
import type { Settings } from '../../support/svc.ts'
import { type SignedIn, useClient } from './fixture.ts'

/** A client with a service of its own that a test kills, freezes and starts again; it is there again for the next test, and pages of `signIn` are closed. */
export function useOwnService() {
  let service: Service
  let start: () => Promise<void>
  const client = useClient({}, async (dsn: string, settings: Settings) => {
    service = await startService(dsn, settings)
    const { url } = service
    start = async () => {
      service = await startService(dsn, { ...settings, SVC_HTTP_PORT: new URL(url).port })
    }
    return { url, end: (signal) => service.end(signal) }
  })
  const opened: SignedIn[] = []
  afterEach(async () => {
    for (const { page } of opened.splice(0)) await page.context().close()
    if (service.child.signalCode !== null) await start()
  })
  return {
    client,
    kill: () => service.end('SIGKILL'),
    start: () => start(),
    signal: (name: NodeJS.Signals) => service.child.kill(name),
    async signIn(): Promise<SignedIn> {
      const signedIn = await client.signIn()
      opened.push(signedIn)
      return signedIn
    },
  }
}

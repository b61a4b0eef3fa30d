import { setTimeout as sleep } from 'node:timers/promises'
import { createClient } from '../../../kernel/client/client.ts'
import { connectBus } from '../../support/bus-client.ts'
import { type Load, startLoad } from '../../support/ledger.ts'
import { type LivePage, openLivePage } from '../../support/live-page.ts'
import { openRpcClient } from '../../support/rpc-client.ts'
import { type Created, createSurely } from './create-surely.ts'

/** Everybody who uses the service while its parts fail. */
export interface Clients {
  readonly load: Load
  readonly created: readonly Created[]
  /** Calls that failed although they were repeated as documented. */
  readonly failures: readonly string[]
  readonly pages: readonly LivePage[]
  /** Waits until so many more records were created. */
  some(count: number): Promise<void>
  stop(): Promise<void>
}

export interface ClientOptions {
  readonly url: string
  readonly keys: readonly string[]
  readonly sessions: readonly string[]
  readonly writers: number
  readonly readers: number
  readonly creators: number
  readonly pages: number
  readonly pauseMs: number
}

export const NAME = 'Scale'
const RELOAD_PAGE = 500

export async function startClients(options: ClientOptions): Promise<Clients> {
  const { url, keys, sessions, writers, readers, creators, pauseMs } = options
  const rpc = openRpcClient(url, keys[0]!)
  const load = await startLoad(rpc, { writers, readers, pauseMs })
  const created: Created[] = []
  const failures: string[] = []
  let isStopped = false

  const keepCreating = async (_: unknown, index: number): Promise<void> => {
    const client = createClient({ url, apiKey: keys[index % keys.length]! })
    for (let n = 0; !isStopped; n++) {
      await createSurely(client, `${NAME} ${index}/${n}`).then(
        (one) => created.push(one),
        (error) => failures.push(String(error)),
      )
      await sleep(pauseMs)
    }
  }

  /** Every record of the creators, newest state, as a page does that was told to load again. */
  const reload = async (): Promise<readonly string[]> => {
    const client = createClient({ url, apiKey: keys[0]!, fetch: freshly })
    const ids: number[] = []
    for (;;) {
      const domain = [
        ['name', 'like', NAME],
        ['id', '>', ids.at(-1) ?? 0],
      ]
      const page = { order: 'id', limit: RELOAD_PAGE }
      const rows = await client.rpc('core.partner', 'search_read', [domain, ['id']], page).catch(() => null)
      if (rows === null) await sleep(1_000)
      else ids.push(...(rows as readonly { readonly id: number }[]).map(({ id }) => id))
      if ((rows as readonly unknown[] | null)?.length === 0) return ids.map((id) => `core.partner/${id}`)
    }
  }
  const openPage = (_: unknown, index: number) =>
    openLivePage({
      connect: (more) => connectBus(url, { cookie: `svc_session=${sessions[index % sessions.length]}`, ...more }),
      beforeRetry: () => sleep(500),
      reload,
    })
  const pages = await Promise.all(Array.from({ length: options.pages }, openPage))
  const loops = Array.from({ length: creators }, keepCreating)
  return {
    load,
    created,
    failures,
    pages,
    async some(count) {
      const enough = created.length + count
      while (created.length < enough) await sleep(20)
    },
    async stop() {
      isStopped = true
      await Promise.all(loops)
      await load.stop()
      rpc.close()
    },
  }
}

/** Past the replica, which may be a little behind the event that the page was told. */
const freshly: typeof fetch = (input, init) =>
  fetch(input, { ...init, headers: { ...init?.headers, 'cache-control': 'no-cache' } })

import type { BusClient, BusMessage, ConnectOptions } from './bus-client.ts'

/** A page that connects again, to any process, and asks for what it missed. */
export interface LivePage {
  /** The new records announced to it, with the time. */
  readonly heard: ReadonlyMap<string, number>
  /** How often it was told to load everything again. */
  readonly resyncs: number
  close(): Promise<void>
}

export interface LivePageOptions {
  /** Opens a socket; rejects if that is not possible now. */
  readonly connect: (options: Required<Pick<ConnectOptions, 'onMessage'>>) => Promise<BusClient>
  /** Waits before the next try. */
  readonly beforeRetry?: () => Promise<unknown>
  /** What the page finds when it loads everything again; without it, it does not. */
  readonly reload?: () => Promise<readonly string[]>
}

export async function openLivePage({ connect, beforeRetry, reload }: LivePageOptions): Promise<LivePage> {
  const heard = new Map<string, number>()
  const hear = (record: string) => void (heard.has(record) || heard.set(record, performance.now()))
  const reloads = new Set<Promise<void>>()
  let resyncs = 0
  let isClosed = false
  let last: BusClient | undefined

  const onMessage = ({ channel, payload }: BusMessage): void => {
    if (channel === 'record.created') hear(`${payload['model']}/${payload['id']}`)
    if (channel !== 'resync') return
    resyncs++
    if (!reload) return
    const loading = reload().then((found) => found.forEach(hear))
    reloads.add(loading)
    void loading.finally(() => reloads.delete(loading))
  }

  async function open(): Promise<void> {
    while (!isClosed) {
      const opened = await connect({ onMessage }).catch(() => null)
      if (opened === null) {
        await beforeRetry?.()
        continue
      }
      if (last) opened.send({ since: last.seq })
      last = opened
      void opened.closed.then(() => (isClosed ? undefined : open()))
      return
    }
  }
  await open()
  return {
    heard,
    get resyncs() {
      return resyncs
    },
    async close() {
      isClosed = true
      await last!.close()
      await Promise.all(reloads)
    },
  }
}

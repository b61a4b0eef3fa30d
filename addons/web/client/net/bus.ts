/** Live events, collected for a moment and delivered together; none arrive if the server does not send any. */
export interface Bus {
  /** Starts to listen; does nothing when it already does. */
  open(): void
  close(): void
  /** Events of a channel, those of one moment together. */
  on<C extends BusChannel>(channel: C, listener: (payloads: readonly BusPayloads[C][]) => void): () => void
  /** Registers a change made by this client, whose event is then ignored. */
  expectEcho(model: string, ids: readonly number[]): void
}

export interface BusPayloads {
  readonly 'record.created': RecordEvent
  readonly 'record.updated': RecordEvent
  readonly 'record.deleted': RecordEvent
  readonly 'chatter.posted': { readonly model: string; readonly id: number; readonly message_id: number }
  readonly 'import.progress': {
    readonly id: number
    readonly done: number
    readonly total: number
    readonly state: string
  }
  readonly 'module.changed': { readonly module: string; readonly state: string }
  readonly 'model.changed': { readonly model: string }
  readonly toast: { readonly level: 'info' | 'success' | 'warning' | 'error'; readonly text: string }
  /** Events were missed: what is on screen must be loaded again. */
  readonly resync: Readonly<Record<string, never>>
}

export type BusChannel = keyof BusPayloads

export interface RecordEvent {
  readonly model: string
  readonly id: number
  readonly fields?: readonly string[]
}

/** A connection, independent of the transport. */
export interface BusSocket {
  send(text: string): void
  close(): void
}

export interface BusSocketEvents {
  onOpen(): void
  onMessage(data: unknown): void
  onClose(code: number): void
}

export interface BusPorts {
  connect(events: BusSocketEvents): BusSocket
  readonly setTimer: (run: () => void, ms: number) => () => void
  readonly now: () => number
  readonly random: () => number
  /** The session is over. */
  readonly onSignedOut: () => void
}

const COLLECT_MS = 100
const ECHO_MS = 3_000
const FIRST_WAIT_MS = 500
const LONGEST_WAIT_MS = 15_000
const SIGNED_OUT = 4401

/** Expected events of a record that this client caused. */
interface Echo {
  count: number
  readonly until: number
}

interface BusMessage {
  readonly channel: string
  readonly payload: unknown
  readonly seq?: number
}

export function createBus(ports: BusPorts): Bus {
  const listeners = new Map<string, Set<(payloads: readonly never[]) => void>>()
  const echoes = new Map<string, Echo>()
  let collected: BusMessage[] = []
  let socket: BusSocket | null = null
  let lastSeq: number | null = null
  let failures = 0
  let isWanted = false
  let stopTimer: (() => void) | null = null

  const isEcho = ({ channel, payload }: BusMessage): boolean => {
    if (!channel.startsWith('record.')) return false
    // The contract of the record channels.
    const { model, id } = payload as RecordEvent
    const echo = echoes.get(`${model}/${id}`)
    if (!echo || echo.until <= ports.now() || echo.count === 0) return false
    // Each change causes one event; a further event of the record comes from another user.
    echo.count--
    return true
  }

  function deliver(): void {
    const messages = collected.filter((message) => !isEcho(message))
    collected = []
    for (const [key, { until }] of echoes) if (until <= ports.now()) echoes.delete(key)
    for (const channel of new Set(messages.map((message) => message.channel))) {
      const those = messages.filter((message) => message.channel === channel)
      // Each channel has its payload by contract; the listeners were typed when they registered.
      const payloads = those.map(({ payload }) => payload as never)
      for (const listener of listeners.get(channel) ?? []) listener(payloads)
    }
  }

  function receive(data: unknown): void {
    const message = readMessage(data)
    if (!message) return
    if (message.seq !== undefined) lastSeq = message.seq
    if (collected.length === 0) ports.setTimer(deliver, COLLECT_MS)
    collected.push(message)
  }

  function connect(): void {
    stopTimer = null
    const own: BusSocket = ports.connect({
      onOpen() {
        failures = 0
        if (lastSeq !== null) own.send(JSON.stringify({ since: lastSeq }))
      },
      onMessage: receive,
      onClose(code) {
        if (socket !== own) return
        socket = null
        if (code === SIGNED_OUT) ports.onSignedOut()
        else if (isWanted) stopTimer = ports.setTimer(connect, reconnectMs(failures++, ports.random()))
      },
    })
    socket = own
  }

  return {
    open() {
      if (isWanted) return
      isWanted = true
      connect()
    },
    close() {
      isWanted = false
      stopTimer?.()
      stopTimer = null
      socket?.close()
      socket = null
    },
    on(channel, listener) {
      const those = listeners.get(channel) ?? new Set()
      listeners.set(channel, those)
      those.add(listener)
      return () => those.delete(listener)
    },
    expectEcho(model, ids) {
      for (const id of ids) {
        const key = `${model}/${id}`
        echoes.set(key, { count: (echoes.get(key)?.count ?? 0) + 1, until: ports.now() + ECHO_MS })
      }
    },
  }
}

/** Full jitter, so that not all clients reconnect at the same moment. */
export const reconnectMs = (failures: number, random: number): number =>
  FIRST_WAIT_MS + random * Math.min(FIRST_WAIT_MS * 2 ** failures, LONGEST_WAIT_MS - FIRST_WAIT_MS)

function readMessage(data: unknown): BusMessage | null {
  if (typeof data !== 'string') return null
  try {
    const message: unknown = JSON.parse(data)
    // Whatever has a channel is a message by contract; others are ignored.
    return typeof message === 'object' && message !== null && 'channel' in message ? (message as BusMessage) : null
  } catch {
    return null
  }
}

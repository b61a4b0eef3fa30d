import type { BusMessage } from './bus.ts'

export interface CollectPorts {
  /** Returns a function that stops it. */
  readonly setTimer: (run: () => void, ms: number) => () => void
  readonly now: () => number
  /** 0 ≤ x < 1 */
  readonly random: () => number
  /** Whether the page is hidden: events wait until `resume`. */
  readonly isHidden: () => boolean
  /** Whether the view is being loaded: its data may be older than an event, so events wait for it. */
  readonly isLoading: () => boolean
  /** Whether a change to this model by this client has no answer yet. */
  readonly isChanging: (model: string) => boolean
  readonly deliver: (messages: readonly BusMessage[]) => void
}

/** Collects events and delivers those of one moment together: the first at once, under load every 150 ms. */
export interface EventCollector {
  add(message: BusMessage): void
  /** Marks the next event of each record as caused by this client. */
  expectEcho(model: string, ids: readonly number[]): void
  /** Called when the page is visible again. */
  resume(): void
}

const FIRST_MS = 20
/** Together with delivery and reading the record, a change is on screen within 300 ms of its commit. */
const SPACING_MS = 150
/** Clients do not all load again at the same moment after a large change. */
const SPREAD_MS = 150
const MANY = 20
/** A page that was hidden for long loads again instead of following every event. */
const MAX_WAITING = 500
/** How long events wait for the answer to a change of this client, which tells whose they are. */
const ANSWER_MS = 2_000
const RETRY_MS = 50
const ECHO_MS = 3_000

interface Waiting {
  readonly message: BusMessage
  readonly since: number
}

interface Echo {
  count: number
  readonly until: number
}

export function collectEvents(ports: CollectPorts): EventCollector {
  const echoes = new Map<string, Echo>()
  let waiting: readonly Waiting[] = []
  let isTimed = false
  let isSpread = false
  let delivered = Number.NEGATIVE_INFINITY

  function flushIn(ms: number): void {
    if (isTimed) return
    isTimed = true
    ports.setTimer(flush, ms)
  }

  const plan = () => {
    if (waiting.length > 0) flushIn(Math.max(FIRST_MS, delivered + SPACING_MS - ports.now()))
  }

  function flush(): void {
    isTimed = false
    if (waiting.length === 0 || ports.isHidden()) return
    const wait = ports.isLoading() ? RETRY_MS : isSpread || !isMany(waiting) ? 0 : ports.random() * SPREAD_MS
    if (wait > 0) {
      isSpread = !ports.isLoading()
      flushIn(wait)
      return
    }
    isSpread = false
    const now = ports.now()
    const held = waiting.filter(
      ({ message, since }) => now - since < ANSWER_MS && ports.isChanging(modelOf(message) ?? ''),
    )
    const ready = waiting.filter((each) => !held.includes(each))
    waiting = held
    if (held.length > 0) flushIn(RETRY_MS)
    if (ready.length === 0) return
    delivered = now
    ports.deliver(ready.map(({ message }) => (isEcho(message) ? { ...message, isOwn: true } : message)))
    for (const [key, { until }] of echoes) if (until <= now) echoes.delete(key)
  }

  function isEcho({ channel, payload }: BusMessage): boolean {
    if (!channel.startsWith('record.')) return false
    // The contract of the record channels.
    const { model, id } = payload as { readonly model: string; readonly id: number }
    const echo = echoes.get(`${model}/${id}`)
    if (!echo || echo.until <= ports.now() || echo.count === 0) return false
    // Each change causes one event; a further event of the record comes from another user.
    echo.count--
    return true
  }

  return {
    add(message) {
      if (waiting.length >= MAX_WAITING) {
        const others = waiting.filter((each) => modelOf(each.message) === null).slice(-MANY)
        waiting = [...others, { message: { channel: 'resync', payload: {} }, since: ports.now() }]
      }
      waiting = [...waiting, { message, since: ports.now() }]
      plan()
    },
    expectEcho(model, ids) {
      for (const id of ids) {
        const key = `${model}/${id}`
        echoes.set(key, { count: (echoes.get(key)?.count ?? 0) + 1, until: ports.now() + ECHO_MS })
      }
    },
    resume: plan,
  }
}

const isMany = (waiting: readonly Waiting[]): boolean =>
  waiting.length > MANY ||
  waiting.some(({ message: { channel } }) => channel === 'model.changed' || channel === 'resync')

/** The model an event is about; null for one about something else. */
const modelOf = ({ payload }: BusMessage): string | null =>
  typeof payload === 'object' && payload !== null && 'model' in payload ? String(payload.model) : null

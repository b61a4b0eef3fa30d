import { type Connection, openConnection, type PollAnswer } from '../net/bus-connection.ts'
import { collectEvents } from '../net/collect-events.ts'
import { services } from '../services.ts'

/** After this time hidden or asleep, a socket may have died unnoticed. */
const DOUBT_MS = 30_000

const setTimer = (run: () => void, ms: number): (() => void) => {
  const timer = setTimeout(run, ms)
  return () => clearTimeout(timer)
}
const now = () => performance.now()
const isHidden = () => document.visibilityState === 'hidden'

/** Connects the bus to the events of the server. */
export function followServer(): Connection {
  const { session, transport, bus, rpc, currentView } = services()
  const { wcApiBase, busEnabled, busSeq } = session.bootstrap
  const events = collectEvents({
    setTimer,
    now,
    random: Math.random,
    isHidden,
    isLoading: () => currentView.isLoading.peek(),
    isChanging: rpc.isChanging,
    deliver(messages) {
      rpc.expectNews()
      bus.deliver(messages)
    },
  })
  rpc.onChanged(events.expectEcho)
  const connection = openConnection({
    connect: busEnabled
      ? ({ onOpen, onMessage, onClose }) => {
          const url = new URL(`${wcApiBase}/bus`, location.href)
          url.protocol = url.protocol.replace('http', 'ws')
          const socket = new WebSocket(url)
          socket.addEventListener('open', onOpen)
          socket.addEventListener('message', ({ data }) => onMessage(data))
          socket.addEventListener('close', ({ code }) => onClose(code))
          return {
            send: (text) => socket.send(text),
            close() {
              // Browsers complain about a socket that is closed before it is open.
              if (socket.readyState === WebSocket.CONNECTING) socket.addEventListener('open', () => socket.close())
              else socket.close()
            },
          }
        }
      : null,
    since: busSeq,
    async poll(since) {
      const query = new URLSearchParams({ since })
      const { json } = await transport.send(`${wcApiBase}/events?${query}`, { method: 'GET', repeatable: false })
      // The contract of GET /web/wc/events.
      return json as PollAnswer
    },
    setTimer,
    now,
    random: Math.random,
    isHidden,
    present: bus.present,
    onMessage: events.add,
  })
  let seen = Date.now()
  const look = () => {
    const before = seen
    seen = Date.now()
    return seen - before > DOUBT_MS
  }
  document.addEventListener('visibilitychange', () => {
    const isDoubtful = look()
    if (isHidden()) return
    connection.tryNow(isDoubtful)
    events.resume()
  })
  // Timers stop while the computer sleeps, so a late one shows that it did.
  setInterval(() => {
    if (!isHidden() && look()) connection.tryNow(true)
  }, DOUBT_MS / 3)
  addEventListener('online', () => connection.tryNow(true))
  addEventListener('focus', () => connection.tryNow())
  // A page that is closed leaves at once; one that comes back from the browser's cache connects again by itself.
  addEventListener('pagehide', ({ persisted }) => persisted || connection.close())
  return connection
}

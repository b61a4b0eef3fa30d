import type { IncomingMessage } from 'node:http'
import { WebSocketServer } from 'ws'
import { refusal, unavailable } from '../../../kernel/errors.ts'
import { LIMITS } from '../../../kernel/limits.ts'
import { rateLimited } from '../../../kernel/serve/limit.ts'
import { route } from '../../../kernel/serve/route.ts'
import { openExchange, serveRoute } from '../../../kernel/serve/serve.ts'
import type { Services } from '../../../kernel/services.ts'
import type { Upgrade } from '../server.ts'
import type { Bus, Subscription } from './bus.ts'
import { BusSocket, CLOSED } from './bus-socket.ts'

const PATH = '/web/wc/bus'

/** Whether an upgrade request is for live events. Other upgrade requests are answered as plain HTTP. */
export const isForBus = ({ url = '', headers }: IncomingMessage): boolean =>
  headers.upgrade?.toLowerCase() === 'websocket' && url.split('?')[0] === PATH

const RETRY_SECONDS = 5

/**
 * Opens sockets for live events: `GET /web/wc/bus` with the headers of a WebSocket. The request passes the usual pipeline with session,
 * rate limit and log, so that a refusal is answered before the protocol changes.
 */
export function handleUpgrades(services: Services, bus: () => Bus | null): (upgrade: Upgrade) => Promise<void> {
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    autoPong: false,
    maxPayload: LIMITS.socketFrameBytes,
  })
  return async ({ req, connection, head, address, refuse }) => {
    const request = new Request(new URL(req.url ?? '/', `http://${req.headers.host}`), { headers: headersOf(req) })
    let admitted: { readonly bus: Bus; readonly sessionId: string } | undefined
    const response = await serveRoute(
      route({
        method: 'GET',
        path: PATH,
        auth: 'session',
        tx: 'none',
        isSmall: true,
        handle({ caller }) {
          requireOrigin(services, request)
          const open = bus()
          if (open === null || caller.credential.kind !== 'session')
            throw unavailable('not_ready', 'Live events are not available now.', RETRY_SECONDS)
          const { sessionId } = caller.credential
          if (!open.reserve({ sessionId, userId: caller.user.id })) throw rateLimited(RETRY_SECONDS)
          admitted = { bus: open, sessionId }
          return { status: 101, kind: 'json', body: null }
        },
      }),
      openExchange(services, request, address),
    )
    if (admitted === undefined) return refuse(response)
    const { sessionId, bus: open } = admitted
    server.handleUpgrade(req, connection, head, (socket) => {
      const joined: BusSocket = new BusSocket(socket, {
        async onMessage({ since, present }) {
          const own = await subscription
          if (since !== undefined) await own?.replay(since)
          if (present !== undefined) own?.present(present)
        },
        onClose: async () => (await subscription)?.leave(),
      })
      const subscription: Promise<Subscription | null> = open.join(joined, sessionId)
      subscription.then(
        (own) => own === null && joined.close(CLOSED.signedOut),
        () => joined.terminate(),
      )
    })
  }
}

/** Browsers send the cookie with a socket that a foreign page opens, and always say which page it was. */
function requireOrigin({ publicUrl }: Services, { url, headers }: Request): void {
  const own = new URL(publicUrl ?? url)
  const sender = headers.get('origin')
  const isOwn = sender === own.origin || (publicUrl === null && sender === `https://${own.host}`)
  if (!isOwn) throw refusal('CSRF', 'cross_site', 'The request comes from another site.')
}

function headersOf({ headers }: IncomingMessage): Headers {
  const found = new Headers()
  for (const [name, value] of Object.entries(headers))
    for (const each of Array.isArray(value) ? value : [value]) if (each !== undefined) found.append(name, each)
  return found
}

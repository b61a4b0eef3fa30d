import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { TLSSocket } from 'node:tls'

/** A mail as it came over the wire. */
export interface ReceivedMail {
  readonly from: string
  readonly to: readonly string[]
  /** Unfolded, by lower-case name. */
  readonly headers: Readonly<Record<string, string>>
  readonly source: string
  /** User and password of the session; null when it did not sign in. */
  readonly auth: string | null
  readonly isEncrypted: boolean
}

/** What the server does with one mail at a step. `hang`: does not answer. `drop`: cuts the connection. */
export interface Trouble {
  readonly at: 'greeting' | 'auth' | 'mail' | 'rcpt' | 'data' | 'end'
  readonly answer: string | 'hang' | 'drop'
}

export interface SmtpSink {
  readonly port: number
  /** Every mail the server took, in order; those it answered with trouble after DATA too. */
  readonly received: ReceivedMail[]
  /** How many connections were made. */
  readonly connections: () => number
  /** Whether it offers to encrypt: the certificate is for `localhost`. */
  offersTls: boolean
  /** Trouble for the next sessions or mails, one after the other; none when it is empty. */
  readonly troubles: Trouble[]
  /** Awaited after a mail has come and before the server says 250. */
  beforeTaking: (mail: ReceivedMail) => Promise<void>
  close(): Promise<void>
}

/** A mail server on loopback that takes everything, unless it is told to make trouble. */
export async function startSmtpSink(port = 0): Promise<SmtpSink> {
  const sockets = new Set<Socket>()
  let connections = 0
  const sink = {
    port,
    received: [] as ReceivedMail[],
    connections: () => connections,
    offersTls: false,
    troubles: [] as Trouble[],
    beforeTaking: async (_mail: ReceivedMail) => {},
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
  const server = createServer((socket) => {
    connections++
    sockets.add(socket)
    socket.on('error', () => {}).on('close', () => sockets.delete(socket))
    void converse(socket, sink)
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  sink.port = (server.address() as AddressInfo).port
  return sink
}

const TLS = {
  key: readFileSync(new URL('tls/localhost.key', import.meta.url)),
  cert: readFileSync(new URL('tls/localhost.pem', import.meta.url)),
}

async function converse(socket: Socket, sink: SmtpSink): Promise<void> {
  const isEncrypted = socket instanceof TLSSocket
  let auth: string | null = null
  let from = ''
  let to: string[] = []
  const say = (text: string) => void socket.write(`${text}\r\n`)
  /** Answers a step, or makes the trouble that was asked for there; false when the session is over. */
  const answer = (at: Trouble['at'], text: string): boolean => {
    const trouble = sink.troubles[0]?.at === at ? sink.troubles.shift()! : null
    if (trouble === null) say(text)
    else if (trouble.answer === 'drop') socket.destroy()
    else if (trouble.answer !== 'hang') say(trouble.answer)
    return trouble === null || trouble.answer !== 'drop'
  }
  const lines = readLines(socket)
  if (!isEncrypted && !answer('greeting', '220 sink')) return
  for await (const line of lines) {
    const verb = line.slice(0, 4).toUpperCase()
    if (verb === 'EHLO')
      say(`250-sink\r\n${sink.offersTls && !isEncrypted ? '250-STARTTLS\r\n' : ''}250-AUTH PLAIN\r\n250 8BITMIME`)
    else if (verb === 'STAR' && sink.offersTls) {
      await lines.return(undefined)
      say('220 go on')
      const encrypted = new TLSSocket(socket, { isServer: true, ...TLS })
      return converse(
        encrypted.on('error', () => {}),
        sink,
      )
    } else if (verb === 'AUTH') {
      auth = Buffer.from(line.split(' ')[2] ?? '', 'base64')
        .toString()
        .split('\0')
        .slice(1)
        .join(':')
      if (!answer('auth', '235 welcome')) return
    } else if (verb === 'MAIL') {
      from = addressIn(line)
      to = []
      if (!answer('mail', '250 ok')) return
    } else if (verb === 'RCPT') {
      to.push(addressIn(line))
      if (!answer('rcpt', '250 ok')) return
    } else if (verb === 'DATA') {
      if (sink.troubles[0]?.at === 'data') {
        answer('data', '')
        continue
      }
      say('354 go on')
      const mail = { from, to, auth, isEncrypted, ...parseSource(await readSource(lines)) }
      sink.received.push(mail)
      await sink.beforeTaking(mail)
      if (!answer('end', '250 taken')) return
    } else if (verb === 'STAR') say('502 no encryption here')
    else if (verb === 'QUIT') {
      say('221 bye')
      socket.end()
    } else say('250 ok')
  }
}

const addressIn = (line: string): string => /<([^>]*)>/.exec(line)?.[1] ?? ''

async function readSource(lines: AsyncGenerator<string>): Promise<string> {
  const source: string[] = []
  for (;;) {
    const { value, done } = await lines.next()
    if (done || value === '.') return source.join('\n')
    source.push(value.replace(/^\.\./, '.'))
  }
}

function parseSource(source: string): Pick<ReceivedMail, 'headers' | 'source'> {
  const [head = ''] = source.split('\n\n')
  const headers = head
    .replaceAll(/\n[ \t]+/g, ' ')
    .split('\n')
    .map((line): [string, string] => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
    })
  return { headers: Object.fromEntries(headers), source }
}

async function* readLines(socket: Socket): AsyncGenerator<string, void> {
  let rest = ''
  try {
    for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
      const lines = (rest + String(chunk)).split('\r\n')
      rest = lines.pop()!
      yield* lines
    }
  } catch {
    // A session that is cut has simply ended.
  }
}

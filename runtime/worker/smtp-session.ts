import type { Socket } from 'cloudflare:sockets'

export interface SmtpAnswer {
  readonly code: number
  readonly lines: readonly string[]
}

/** The mail server answered with an unexpected code. */
export class SmtpRefusal extends Error {
  readonly code: number

  constructor({ code, lines }: SmtpAnswer) {
    super(`${code} ${lines.join(' ')}`)
    this.code = code
  }
}

/** The server that answers is no mail server. */
export class NoMailServer extends Error {}

const MAX_LINE = 2_000
const MAX_LINES = 100

/** SMTP commands and answers over one socket of workerd. */
export class SmtpSession {
  #socket: Socket
  #reader: ReadableStreamDefaultReader<Uint8Array>
  #writer: WritableStreamDefaultWriter<Uint8Array>
  #unread = ''
  #decoder = new TextDecoder()

  constructor(socket: Socket) {
    this.#socket = socket
    this.#reader = socket.readable.getReader()
    this.#writer = socket.writable.getWriter()
  }

  /** Waits for an answer with one of these codes. */
  async expect(...codes: readonly number[]): Promise<SmtpAnswer> {
    const answer = await this.#answer()
    if (!codes.includes(answer.code)) throw new SmtpRefusal(answer)
    return answer
  }

  async ask(text: string, ...codes: readonly number[]): Promise<SmtpAnswer> {
    await this.#writer.write(new TextEncoder().encode(`${text}\r\n`))
    return this.expect(...codes)
  }

  /** Encrypts from here on. Bytes received before that are dropped, since an attacker may have sent them. */
  startTls(): void {
    this.#reader.releaseLock()
    this.#writer.releaseLock()
    this.#socket = this.#socket.startTls()
    this.#reader = this.#socket.readable.getReader()
    this.#writer = this.#socket.writable.getWriter()
    this.#unread = ''
    this.#decoder = new TextDecoder()
  }

  close(): Promise<void> {
    return this.#socket.close().catch(() => {})
  }

  async #answer(): Promise<SmtpAnswer> {
    const lines: string[] = []
    for (;;) {
      const line = await this.#line()
      if (!/^[2-5]\d\d([ -]|$)/.test(line) || lines.length > MAX_LINES)
        throw new NoMailServer('What answers there is no mail server.')
      lines.push(line.slice(4))
      if (line[3] !== '-') return { code: Number(line.slice(0, 3)), lines }
    }
  }

  async #line(): Promise<string> {
    for (;;) {
      const end = this.#unread.indexOf('\n')
      if (end >= 0) {
        const line = this.#unread.slice(0, end).replace(/\r$/, '')
        this.#unread = this.#unread.slice(end + 1)
        return line
      }
      if (this.#unread.length > MAX_LINE) throw new NoMailServer('What answers there is no mail server.')
      const { value, done } = await this.#reader.read()
      if (done) throw new Error('The mail server has ended the connection.')
      this.#unread += this.#decoder.decode(value, { stream: true })
    }
  }
}

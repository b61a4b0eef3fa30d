import { toBase64 } from '../../kernel/bytes.ts'
import type { Mailbox } from '../../kernel/mail/mail-address.ts'
import type { MailAttachment } from '../../kernel/mail/mail-queue.ts'

/** The content of one mail. */
export interface MailMessage {
  readonly from: Mailbox
  readonly to: Mailbox
  readonly subject: string
  readonly text: string
  readonly html: string | null
  readonly attachments: readonly MailAttachment[]
  readonly messageId: string
  readonly date: Date
}

const LINE = '\r\n'

/**
 * A mail as text for SMTP. All content is Base64, so that no line is too long, begins with a dot, or looks like a boundary; the queue
 * ensures that names and subjects are one line each.
 */
export function mailSource(mail: MailMessage): string {
  const headers = [
    `From: ${mailbox(mail.from)}`,
    `To: ${mailbox(mail.to)}`,
    `Subject: ${words(mail.subject)}`,
    `Message-ID: ${mail.messageId}`,
    `Date: ${mail.date.toUTCString().replace('GMT', '+0000')}`,
    'Auto-Submitted: auto-generated',
    'MIME-Version: 1.0',
  ]
  return [...headers, content(mail)].join(LINE)
}

function content({ text, html, attachments }: MailMessage): string {
  const plain = part('text/plain; charset=utf-8', utf8(text))
  const body = html === null ? plain : multipart('alternative', [plain, part('text/html; charset=utf-8', utf8(html))])
  return attachments.length === 0 ? body : multipart('mixed', [body, ...attachments.map(attached)])
}

const attached = ({ name, type, content: bytes }: MailAttachment): string =>
  part(
    type.replaceAll(CONTROL, ''),
    bytes,
    `attachment; filename*=UTF-8''${encodeURIComponent(name).replaceAll("'", '%27')}`,
  )

/** Headers of a part, an empty line, its content. */
const part = (type: string, bytes: Uint8Array, disposition?: string): string =>
  [
    `Content-Type: ${type}`,
    'Content-Transfer-Encoding: base64',
    ...(disposition === undefined ? [] : [`Content-Disposition: ${disposition}`]),
    '',
    toBase64(bytes).replaceAll(/.{76}(?=.)/g, `$&${LINE}`),
  ].join(LINE)

/** The boundary contains underscores, which Base64 does not, so no content contains it. */
function multipart(kind: 'alternative' | 'mixed', parts: readonly string[]): string {
  const boundary = `__${kind}__`
  const inside = parts.map((text) => `--${boundary}${LINE}${text}${LINE}`).join('')
  return `Content-Type: multipart/${kind}; boundary="${boundary}"${LINE}${LINE}${inside}--${boundary}--`
}

const CONTROL = /\p{Cc}/gu
const PLAIN = /^[A-Za-z0-9 ]+$/
/** Bytes of an encoded word, which has at most 75 characters. */
const WORD_BYTES = 42

const mailbox = ({ name, address }: Mailbox): string => (name === '' ? address : `${words(name)} <${address}>`)

/** Text in a header: unchanged if it is short and plain, else as encoded words, each with whole characters. */
function words(text: string): string {
  if (PLAIN.test(text) && text.length <= 60) return text
  const pieces: string[] = ['']
  for (const character of text.replaceAll(CONTROL, ' ')) {
    const longer = pieces.at(-1)! + character
    if (utf8(longer).length > WORD_BYTES) pieces.push(character)
    else pieces[pieces.length - 1] = longer
  }
  return pieces.map((piece) => `=?UTF-8?B?${toBase64(utf8(piece))}?=`).join(`${LINE} `)
}

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)

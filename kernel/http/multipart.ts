import { joinBytes } from '../bytes.ts'
import { badRequest, refusal } from '../errors.ts'
import { LIMITS } from '../limits.ts'
import type { Timer } from '../services.ts'
import { decodeUtf8, inTime, mediaType, requireUncompressed, tooLarge } from './body.ts'

/** A file of a form. */
export interface UploadedFile {
  readonly name: string
  readonly bytes: Uint8Array
}

export interface SentUpload {
  readonly fields: Readonly<Record<string, string>>
  readonly file: UploadedFile | null
}

const BOUNDARY = /;\s*boundary=(?:"([^"\r\n]{1,70})"|([^\s;"]{1,70}))/i
const PARAMETER = /;\s*(name|filename)="([^"\r\n]*)"/gi
const CRLF = '\r\n'

/** Limits of a part: its headers and a field; a file is limited by the size of the body. */
const MAX_HEADER_BYTES = 2_048

const broken = (message: string) => badRequest('multipart_invalid', message)

/**
 * Reads a form with at most one file while it arrives. Bytes are counted as they come, whatever `Content-Length` says, and a form that
 * breaks a limit is refused before the rest of it is read.
 */
export async function readMultipart(request: Request, limit: number, timer: Timer): Promise<SentUpload> {
  requireUncompressed(request.headers)
  if (mediaType(request.headers) !== 'multipart/form-data')
    throw refusal('UNSUPPORTED_MEDIA', 'media_type', 'The body must be multipart/form-data.')
  const [, quoted, plain] = BOUNDARY.exec(request.headers.get('content-type') ?? '') ?? []
  const boundary = quoted ?? plain
  if (boundary === undefined) throw broken('The form has no boundary.')
  if (Number(request.headers.get('content-length') ?? 0) > limit) throw tooLarge(limit)
  const bytes = new ByteReader(request, limit)
  return inTime(timer, readParts(bytes, boundary, limit), () => bytes.cancel())
}

async function readParts(bytes: ByteReader, boundary: string, limit: number): Promise<SentUpload> {
  const fields = new Map<string, string>()
  let file: UploadedFile | null = null
  await bytes.readUntil(`--${boundary}`, limit)
  for (let parts = 0; await bytes.hasPart(); parts++) {
    if (parts > LIMITS.uploadFields) throw broken(`A form has at most ${LIMITS.uploadFields} fields and one file.`)
    const part = partOf(decodeUtf8(await bytes.readUntil(CRLF + CRLF, MAX_HEADER_BYTES)))
    const end = `${CRLF}--${boundary}`
    if (part.fileName === null) {
      if (fields.has(part.name)) throw broken(`The form has the field ${part.name} twice.`)
      fields.set(part.name, decodeUtf8(await bytes.readUntil(end, LIMITS.uploadFieldBytes)))
    } else if (file !== null || part.name !== 'file') throw broken('The form must have one file, in the field file.')
    else file = { name: part.fileName, bytes: await bytes.readUntil(end, limit) }
  }
  return { fields: Object.fromEntries(fields), file }
}

interface Part {
  readonly name: string
  /** Null for a field that is no file. */
  readonly fileName: string | null
}

function partOf(headers: string): Part {
  const disposition = headers.split(CRLF).find((line) => /^content-disposition:\s*form-data\s*;/i.test(line)) ?? ''
  const found = new Map([...disposition.matchAll(PARAMETER)].map(([, key, value]) => [key!.toLowerCase(), value!]))
  const name = unescaped(found.get('name') ?? '')
  if (name === '' || name.length > LIMITS.uploadNameChars) throw broken('A part of the form has no valid name.')
  const fileName = found.get('filename')
  return { name, fileName: fileName === undefined ? null : unescaped(fileName) }
}

/** Browsers escape these three characters in names, and no others. */
const unescaped = (text: string): string =>
  text.replace(/%(22|0A|0D)/gi, (_escape, code: string) => (code === '22' ? '"' : ' '))

/** The bytes of a body in order, up to one mark after the other. */
class ByteReader {
  private readonly reader: ReadableStreamDefaultReader<Uint8Array> | null
  private readonly limit: number
  private taken = 0
  private held: Uint8Array = new Uint8Array()

  constructor({ body }: Request, limit: number) {
    this.reader = body?.getReader() ?? null
    this.limit = limit
  }

  /** Everything before the next `mark`, which is skipped; more than `limit` bytes are refused. */
  async readUntil(mark: string, limit: number): Promise<Uint8Array> {
    const wanted = new TextEncoder().encode(mark)
    const pieces: Uint8Array[] = []
    let size = 0
    const keep = (piece: Uint8Array) => {
      size += piece.length
      if (size > limit) throw broken('A part of the form is too long, or the form is not complete.')
      if (piece.length > 0) pieces.push(piece)
    }
    for (;;) {
      const at = indexOfBytes(this.held, wanted)
      if (at >= 0) {
        keep(this.held.subarray(0, at))
        this.held = this.held.subarray(at + wanted.length)
        return pieces.length === 1 ? pieces[0]! : joinBytes(pieces)
      }
      // The mark may begin in this chunk and end in the next.
      const safe = Math.max(0, this.held.length - wanted.length + 1)
      keep(this.held.subarray(0, safe))
      const rest = this.held.subarray(safe)
      const next = await this.next()
      this.held = rest.length === 0 ? next : joinBytes([rest, next])
    }
  }

  /** After a boundary: whether a part follows; otherwise the form ends here. */
  async hasPart(): Promise<boolean> {
    while (this.held.length < 2) {
      const next = await this.next()
      this.held = joinBytes([this.held, next])
    }
    const two = String.fromCharCode(this.held[0]!, this.held[1]!)
    if (two !== CRLF && two !== '--') throw broken('The form has a broken boundary.')
    this.held = this.held.subarray(2)
    return two === CRLF
  }

  private async next(): Promise<Uint8Array> {
    const { done, value } = (await this.reader?.read().catch(() => null)) ?? { done: true, value: undefined }
    if (done || value === undefined) throw broken('The form ended early.')
    this.taken += value.byteLength
    if (this.taken > this.limit) {
      await this.cancel().catch(() => undefined)
      throw tooLarge(this.limit)
    }
    return value
  }

  async cancel(): Promise<void> {
    await this.reader?.cancel()
  }
}

/** A plain loop: a file may be megabytes of the byte that a mark begins with, and a call for each of them would take seconds. */
function indexOfBytes(bytes: Uint8Array, wanted: Uint8Array): number {
  const last = bytes.length - wanted.length
  for (let at = 0; at <= last; at++) {
    let same = 0
    while (same < wanted.length && bytes[at + same] === wanted[same]) same++
    if (same === wanted.length) return at
  }
  return -1
}

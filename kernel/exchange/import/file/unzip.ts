import { LIMITS } from '../../../limits.ts'
import { Refusal } from '../../../model/fields/field.ts'
import { unreadable } from './xml-scan.ts'

const END = 0x06054b50
const CENTRAL = 0x02014b50
const LOCAL = 0x04034b50
const END_BYTES = 22
const MAX_COMMENT = 65_535
const MAX_ENTRIES = 2_000
const STORED = 0
const DEFLATED = 8

export const workbookTooLarge = () =>
  new Refusal('The workbook is larger than {count} MB when it is unpacked.', {
    count: LIMITS.workbookBytes / 1_048_576,
  })

/** Whether the bytes begin like a ZIP archive, as every workbook does. */
export const isZip = (bytes: Uint8Array): boolean =>
  bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 3 && bytes[3] === 4

/** The files of an archive by name; each is inflated when it is asked for. */
export interface Archive {
  /** Null when the archive has no such file. All files together may have `LIMITS.workbookBytes`, whatever their headers say. */
  text(name: string): Promise<string | null>
}

interface Place {
  readonly method: number
  readonly size: number
  readonly offset: number
}

/** Opens an archive by its directory; nothing of it is inflated yet. */
export function openArchive(bytes: Uint8Array): Archive {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const places = readDirectory(view, bytes)
  let budget: number = LIMITS.workbookBytes
  return {
    async text(name) {
      const place = places.get(name)
      if (place === undefined) return null
      const packed = packedBytes(view, bytes, place)
      if (place.method === STORED) {
        budget -= packed.length
        return new TextDecoder().decode(packed)
      }
      if (place.method !== DEFLATED) throw unreadable()
      let text = ''
      const decoder = new TextDecoder()
      for await (const chunk of inflate(packed)) {
        budget -= chunk.length
        if (budget < 0) throw workbookTooLarge()
        text += decoder.decode(chunk, { stream: true })
      }
      return text + decoder.decode()
    },
  }
}

function readDirectory(view: DataView, bytes: Uint8Array): ReadonlyMap<string, Place> {
  let end = bytes.length - END_BYTES
  const last = Math.max(0, end - MAX_COMMENT)
  while (end >= last && view.getUint32(end, true) !== END) end--
  if (end < last || end < 0) throw unreadable()
  const count = view.getUint16(end + 10, true)
  if (count > MAX_ENTRIES) throw unreadable()
  const places = new Map<string, Place>()
  let at = view.getUint32(end + 16, true)
  for (let entry = 0; entry < count; entry++) {
    if (at + 46 > bytes.length || view.getUint32(at, true) !== CENTRAL) throw unreadable()
    const [nameSize, extraSize, commentSize] = [28, 30, 32].map((place) => view.getUint16(at + place, true)) as [
      number,
      number,
      number,
    ]
    const name = new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + nameSize))
    places.set(name, {
      method: view.getUint16(at + 10, true),
      size: view.getUint32(at + 20, true),
      offset: view.getUint32(at + 42, true),
    })
    at += 46 + nameSize + extraSize + commentSize
  }
  return places
}

function packedBytes(view: DataView, bytes: Uint8Array, { offset, size }: Place): Uint8Array {
  if (offset + 30 > bytes.length || view.getUint32(offset, true) !== LOCAL) throw unreadable()
  const start = offset + 30 + view.getUint16(offset + 26, true) + view.getUint16(offset + 28, true)
  if (start + size > bytes.length) throw unreadable()
  return bytes.subarray(start, start + size)
}

/** Inflates with the host's own stream: off the event loop on Node, and only as far as it is read. */
async function* inflate(packed: Uint8Array): AsyncGenerator<Uint8Array> {
  const stream = new Blob([packed as BlobPart]).stream().pipeThrough(new DecompressionStream('deflate-raw'))
  const reader = stream.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read().catch(() => {
        throw unreadable()
      })
      if (done) return
      yield value
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

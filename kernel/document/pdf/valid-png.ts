import { joinBytes } from '../../bytes.ts'

/** Bits of one point for each kind of colour, and the depths that it may have. */
const KINDS: Readonly<Record<number, { readonly channels: number; readonly depths: readonly number[] }>> = {
  0: { channels: 1, depths: [1, 2, 4, 8, 16] },
  2: { channels: 3, depths: [8, 16] },
  3: { channels: 1, depths: [1, 2, 4, 8] },
  4: { channels: 2, depths: [8, 16] },
  6: { channels: 4, depths: [8, 16] },
}
const PALETTE = 3
/** The chunks that draw a picture. Comments, profiles and further frames are dropped unread. */
const NEEDED: ReadonlySet<string> = new Set(['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND'])
/** First point and distance to the next one, across and down, of each pass of an interlaced picture. */
const PASSES = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const
/** Bytes that some programs write after the last line. */
const SLACK = 65_536
const SIGNATURE = 8

interface Chunk {
  readonly type: string
  readonly data: Uint8Array
  /** The chunk with its length, type and checksum. */
  readonly whole: Uint8Array
}

/**
 * A PNG file with only what draws it; null if it is broken. Its data are unpacked once to count them, since the decoder would unpack
 * whatever is in them.
 */
export async function validPng(bytes: Uint8Array): Promise<Uint8Array | null> {
  const chunks = readChunks(bytes)?.filter(({ type }) => NEEDED.has(type))
  const [header] = chunks ?? []
  if (!chunks || header?.type !== 'IHDR' || chunks.filter(({ type }) => type === 'IHDR').length > 1) return null
  const length = linesLength(header.data)
  const hasColors = header.data[9] !== PALETTE || chunks.some(({ type }) => type === 'PLTE')
  if (length === null || !hasColors) return null
  const packed = chunks.flatMap(({ type, data }) => (type === 'IDAT' ? [data] : []))
  const unpacked = await unpackedLength(packed, length + SLACK)
  if (unpacked === null || unpacked < length) return null
  return joinBytes([bytes.subarray(0, SIGNATURE), ...chunks.map(({ whole }) => whole)])
}

/** Up to the end of the picture; null if the file ends before. */
function readChunks(bytes: Uint8Array): readonly Chunk[] | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const chunks: Chunk[] = []
  for (let at = SIGNATURE; at + 12 <= bytes.length; ) {
    const length = view.getUint32(at)
    const end = at + 12 + length
    if (end > bytes.length) return null
    const type = String.fromCharCode(...bytes.subarray(at + 4, at + 8))
    // The header must come first, so that the size checked here is the one the decoder uses.
    if (chunks.length === 0 && type !== 'IHDR') return null
    chunks.push({ type, data: bytes.subarray(at + 8, at + 8 + length), whole: bytes.subarray(at, end) })
    if (type === 'IEND') return chunks
    at = end
  }
  return null
}

/** Bytes of all lines of the picture when it is unpacked; null if there is no such picture. */
function linesLength(header: Uint8Array): number | null {
  if (header.length !== 13) return null
  const view = new DataView(header.buffer, header.byteOffset, header.byteLength)
  const [width, height] = [view.getUint32(0), view.getUint32(4)]
  const [depth, color, , , interlace] = header.subarray(8)
  const kind = KINDS[color!]
  if (!kind?.depths.includes(depth!) || interlace! > 1) return null
  const lines = (across: number, down: number) =>
    across <= 0 || down <= 0 ? 0 : down * (1 + Math.ceil((across * depth! * kind.channels) / 8))
  if (interlace === 0) return lines(width, height)
  return PASSES.reduce(
    (sum, [x, y, right, down]) => sum + lines(Math.ceil((width - x) / right), Math.ceil((height - y) / down)),
    0,
  )
}

/** Null if the data are broken, or longer than `most`. */
async function unpackedLength(packed: readonly Uint8Array[], most: number): Promise<number | null> {
  const unpacking = new Blob(packed.map((part) => part.slice()))
    .stream()
    .pipeThrough(new DecompressionStream('deflate'))
    .getReader()
  let length = 0
  try {
    for (;;) {
      const { done, value } = await unpacking.read()
      if (done) return length
      length += value.length
      if (length > most) return null
    }
  } catch {
    return null
  } finally {
    await unpacking.cancel().catch(() => undefined)
  }
}

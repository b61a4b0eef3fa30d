import { type PictureSize, pictureSize } from '../../document/layout/picture-size.ts'

/**
 * Width and height of a picture of the kinds that browsers show and that cannot contain scripts; null for any other file and for one that
 * is cut off. Reads only the structure of the file: a small file may unpack to any size, which the caller must limit.
 */
export function readPicture(bytes: Uint8Array): PictureSize | null {
  const data = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  try {
    const size = KINDS[data.getUint32(0)]?.(data, bytes) ?? (data.getUint16(0) === JPEG ? jpeg(data, bytes) : null)
    return size !== null && size.width > 0 && size.height > 0 ? size : null
  } catch {
    // The file is cut off.
    return null
  }
}

type Reader = (data: DataView, bytes: Uint8Array) => PictureSize | null

const [IHDR, IDAT, IEND] = [0x49484452, 0x49444154, 0x49454e44]

/** Header, data and end, in this order. */
const png: Reader = (data, bytes) => {
  if (data.getUint32(4) !== 0x0d0a1a0a || data.getUint32(8) !== 13 || data.getUint32(12) !== IHDR) return null
  let hasData = false
  for (let at = 8; ; ) {
    const [length, type] = [data.getUint32(at), data.getUint32(at + 4)]
    // Throws if the checksum after the part is missing.
    data.getUint32(at + 8 + length)
    if (type === IDAT && length > 0) hasData = true
    if (type === IEND) return hasData ? pictureSize(bytes) : null
    at += 12 + length
  }
}

const JPEG = 0xffd8
const SCAN = 0xda

/** The parts up to the first scan, one of which has the size. */
const jpeg: Reader = (data, bytes) => {
  for (let at = 2; data.getUint8(at) === 0xff; at += 2 + data.getUint16(at + 2)) {
    if (data.getUint8(at + 1) !== SCAN) continue
    data.getUint8(at + 2 + data.getUint16(at + 2))
    return pictureSize(bytes)
  }
  return null
}

const tableBytes = (flags: number): number => (flags & 0x80 ? 3 << ((flags & 7) + 1) : 0)

/** Extensions, then a frame with data. The picture is as large as its screen or its first frame. */
const gif: Reader = (data) => {
  const version = data.getUint16(4)
  if (version !== 0x3761 && version !== 0x3961) return null
  let at = 13 + tableBytes(data.getUint8(10))
  while (data.getUint8(at) === 0x21) {
    at += 2
    for (let length = data.getUint8(at); length > 0; length = data.getUint8(at)) at += length + 1
    at += 1
  }
  if (data.getUint8(at) !== 0x2c) return null
  const drawn = at + 10 + tableBytes(data.getUint8(at + 9))
  const codeBits = data.getUint8(drawn)
  if (codeBits < 1 || codeBits > 11 || data.getUint8(drawn + 1) === 0) return null
  data.getUint8(drawn + 1 + data.getUint8(drawn + 1))
  return {
    width: Math.max(data.getUint16(6, true), data.getUint16(at + 5, true)),
    height: Math.max(data.getUint16(8, true), data.getUint16(at + 7, true)),
  }
}

const uint24 = (data: DataView, at: number): number => data.getUint16(at, true) + data.getUint8(at + 2) * 65_536

/** The first part says how it is packed: with losses, without, or in further parts. */
const webp: Reader = (data) => {
  if (data.getUint32(8) !== 0x57454250 || data.getUint32(4, true) + 8 > data.byteLength) return null
  const length = data.getUint32(16, true)
  switch (data.getUint32(12)) {
    case 0x56503820:
      if (uint24(data, 23) !== 0x2a019d || 20 + length > data.byteLength) return null
      return { width: data.getUint16(26, true) & 0x3fff, height: data.getUint16(28, true) & 0x3fff }
    case 0x5650384c: {
      const bits = data.getUint32(21, true)
      if (data.getUint8(20) !== 0x2f || 20 + length > data.byteLength) return null
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
    }
    case 0x56503858:
      data.getUint32(24 + length + (length & 1))
      return { width: uint24(data, 24) + 1, height: uint24(data, 27) + 1 }
    default:
      return null
  }
}

/** By the first four bytes. */
const KINDS: Readonly<Record<number, Reader>> = { 2303741511: png, 1195984440: gif, 1380533830: webp }

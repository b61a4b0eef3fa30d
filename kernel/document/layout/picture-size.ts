export interface PictureSize {
  readonly width: number
  readonly height: number
}

/** Width and height of a PNG or JPEG picture; null for anything else, and if it is broken. */
export function pictureSize(bytes: Uint8Array): PictureSize | null {
  const data = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  try {
    const size = data.getUint32(0) === 0x89504e47 ? pngSize(data) : data.getUint16(0) === 0xffd8 ? jpegSize(data) : null
    return size !== null && size.width > 0 && size.height > 0 ? size : null
  } catch {
    // The file is cut off.
    return null
  }
}

const IHDR = 0x49484452

/** The header must come first in a PNG file. */
const pngSize = (data: DataView): PictureSize | null =>
  data.getUint32(12) === IHDR ? { width: data.getUint32(16), height: data.getUint32(20) } : null

/** The size stands in the first part that begins a frame; the numbers between are tables. */
function jpegSize(data: DataView): PictureSize | null {
  const FRAMES = new Set([0xc0, 0xc1, 0xc2, 0xc3, 0xc5, 0xc6, 0xc7, 0xc9, 0xca, 0xcb, 0xcd, 0xce, 0xcf])
  for (let at = 2; data.getUint8(at) === 0xff; at += 2 + data.getUint16(at + 2))
    if (FRAMES.has(data.getUint8(at + 1))) return { height: data.getUint16(at + 5), width: data.getUint16(at + 7) }
  return null
}

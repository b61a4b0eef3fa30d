import type { PDFDocument, PDFImage } from 'pdf-lib'

/** A picture is unpacked into memory, four bytes for each of its points. */
const MAX_POINTS = 4_000_000

/** The picture of the letterhead; null if it is of a kind that PDF does not know, too large or broken. */
export async function embedLogo(pdf: PDFDocument, bytes: Uint8Array | null): Promise<PDFImage | null> {
  if (bytes === null) return null
  try {
    if (isPng(bytes)) return pngPoints(bytes) > MAX_POINTS ? null : await pdf.embedPng(bytes)
    return isJpeg(bytes) ? await pdf.embedJpg(bytes) : null
  } catch {
    return null
  }
}

const isPng = (bytes: Uint8Array): boolean => [0x89, 0x50, 0x4e, 0x47].every((byte, i) => bytes[i] === byte)
const isJpeg = (bytes: Uint8Array): boolean => bytes[0] === 0xff && bytes[1] === 0xd8

function pngPoints(bytes: Uint8Array): number {
  const header = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return header.getUint32(16) * header.getUint32(20)
}

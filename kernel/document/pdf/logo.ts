import type { PDFDocument, PDFImage } from 'pdf-lib'

/** The picture of the letterhead; null if it is of a kind that PDF does not know, or broken. */
export async function embedLogo(pdf: PDFDocument, bytes: Uint8Array | null): Promise<PDFImage | null> {
  if (bytes === null) return null
  try {
    return bytes[0] === 0x89 ? await pdf.embedPng(bytes) : await pdf.embedJpg(bytes)
  } catch {
    return null
  }
}

import type { PDFDocument, PDFImage } from 'pdf-lib'
import { soundPng } from './sound-png.ts'

/** The picture of the letterhead; null if it is of a kind that PDF does not know, or broken. */
export async function embedLogo(pdf: PDFDocument, bytes: Uint8Array | null): Promise<PDFImage | null> {
  if (bytes === null) return null
  try {
    if (bytes[0] !== 0x89) return await pdf.embedJpg(bytes)
    const png = await soundPng(bytes)
    return png && (await pdf.embedPng(png))
  } catch {
    return null
  }
}

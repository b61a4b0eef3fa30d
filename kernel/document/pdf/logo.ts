import type { PDFDocument, PDFImage } from 'pdf-lib'
import { validPng } from './valid-png.ts'

/** The picture of the letterhead; null if it is of a kind that PDF does not know, or broken. */
export async function embedLogo(pdf: PDFDocument, bytes: Uint8Array | null): Promise<PDFImage | null> {
  if (bytes === null) return null
  try {
    if (bytes[0] !== 0x89) return await pdf.embedJpg(bytes)
    const png = await validPng(bytes)
    return png && (await pdf.embedPng(png))
  } catch {
    return null
  }
}

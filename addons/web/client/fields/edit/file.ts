import { formatBytes } from '../../core/format.ts'
import { t } from '../../core/i18n.ts'

/**
 * Maximum file size. A file is sent as base64 in a request of at most 1 MiB, which must have room for the other values
 * too.
 */
export const MAX_BYTES = 700_000
const MAX_PIXELS = 1024

/** A file that cannot be accepted; the message is shown to the user. */
export class FileRefused extends Error {}

/** First base64 characters of the image formats the server accepts. */
const PICTURES = { iVBORw0KGgo: 'image/png', '/9j/': 'image/jpeg', R0lGOD: 'image/gif', UklGR: 'image/webp' } as const

export const pictureType = (base64: string): string | null =>
  Object.entries(PICTURES).find(([start]) => base64.startsWith(start))?.[1] ?? null

export async function readFile(file: Blob): Promise<string> {
  if (file.size > MAX_BYTES) {
    throw new FileRefused(t('The file is larger than {size}.', { size: formatBytes(MAX_BYTES) }))
  }
  return toBase64(new Uint8Array(await file.arrayBuffer()))
}

/**
 * Reads an image as base64. An image that is too large is scaled down instead of refused: to PNG, which keeps sharp edges and
 * transparency, or to JPEG, which photos need. Documents can show both.
 */
export async function readPicture(file: Blob): Promise<string> {
  const bitmap = await createImageBitmap(file).catch(() => {
    throw new FileRefused(t('This is not a picture.'))
  })
  const scale = Math.min(1, MAX_PIXELS / Math.max(bitmap.width, bitmap.height))
  const direct = scale === 1 && file.size <= MAX_BYTES ? await readFile(file) : null
  if (direct !== null && pictureType(direct) !== null) return direct
  const canvas = new OffscreenCanvas(Math.round(bitmap.width * scale), Math.round(bitmap.height * scale))
  const context = canvas.getContext('2d')!
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height)
  const png = file.type === 'image/jpeg' ? null : await canvas.convertToBlob()
  if (png !== null && png.size <= MAX_BYTES) return readFile(png)
  // JPEG has no transparency, and would show it in black.
  context.globalCompositeOperation = 'destination-over'
  context.fillStyle = '#fff'
  context.fillRect(0, 0, canvas.width, canvas.height)
  return readFile(await canvas.convertToBlob({ type: 'image/jpeg', quality: 0.86 }))
}

const CHUNK = 0x8000

export function toBase64(bytes: Uint8Array): string {
  let binary = ''
  // In chunks, since a function call takes a limited number of arguments.
  for (let at = 0; at < bytes.length; at += CHUNK) binary += String.fromCharCode(...bytes.subarray(at, at + CHUNK))
  return btoa(binary)
}

export const fromBase64 = (base64: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))

/** Offers bytes to the user as a download. */
export function download(bytes: Uint8Array<ArrayBuffer>, name: string): void {
  const address = URL.createObjectURL(new Blob([bytes]))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // The click has started the download, so the URL is no longer needed.
  setTimeout(() => URL.revokeObjectURL(address))
}

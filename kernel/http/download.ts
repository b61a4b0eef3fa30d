import { normalForm } from '../model/normal-form.ts'
import type { Answer } from './respond.ts'

/** An answer that a browser saves as a file. */
export const download = (name: string, type: string, body: NonNullable<Answer['body']>): Answer => ({
  status: 200,
  kind: 'file',
  body,
  headers: { 'content-type': type, 'content-disposition': attachment(name) },
})

/**
 * `Content-Disposition` for any name (RFC 6266): a plain form for old programs, and the exact name in UTF-8 (RFC 8187). What
 * separates folders, and what no file may be called, becomes `_`.
 */
export function attachment(name: string): string {
  const safe = cleanName(name)
  const plain = normalForm(safe, 'NFKD')
    .replace(/[̀-ͯ]/g, '')
    .replace(/[^\x20-\x7e]|["%;]/g, '_')
  const exact = plain === safe ? '' : `; filename*=UTF-8''${encodeURIComponent(safe).replace(/['()*]/g, percent)}`
  return `attachment; filename="${plain}"${exact}`
}

const MAX_CHARS = 150

function cleanName(name: string): string {
  const safe = [...name]
    .map((char) => (/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}/\\:*?"<>|]/u.test(char) ? '_' : char))
    .slice(-MAX_CHARS)
    .join('')
    .replace(/^[.\s]+|[.\s]+$/g, '')
  return safe === '' ? 'file' : safe
}

const percent = (char: string) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`

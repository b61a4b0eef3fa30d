import { randomBytes } from 'node:crypto'
import { rename, writeFile } from 'node:fs/promises'
import { namePath } from './file-error.ts'

/** Writes a file so that another process sees the old one or the new one, never half of it. */
export async function replaceFile(file: string, text: string, options: { readonly mode?: number } = {}): Promise<void> {
  const draft = `${file}-${randomBytes(6).toString('hex')}`
  await writeFile(draft, text, options).catch(namePath(draft))
  await rename(draft, file)
}

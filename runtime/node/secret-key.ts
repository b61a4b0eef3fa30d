import { randomBytes } from 'node:crypto'
import { link, mkdir, readFile, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { utf8ToBytes } from '@noble/hashes/utils.js'

/** The secret of the installation: the configured text, else one made at the first start and kept in `dataDir`. */
export async function loadSecretKey(configured: string, dataDir: string): Promise<Uint8Array> {
  return utf8ToBytes(configured === '' ? await keepSecret(dataDir) : configured)
}

/** Two processes may come first at once: the name is linked to a complete file, and only one link wins. */
async function keepSecret(dataDir: string): Promise<string> {
  const path = join(dataDir, 'secret_key')
  const known = await readFile(path, 'utf8').catch(() => undefined)
  if (known !== undefined) return known.trim()
  await mkdir(dataDir, { recursive: true })
  const draft = `${path}-${randomBytes(6).toString('hex')}`
  await writeFile(draft, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600 })
  await link(draft, path).catch((error) => {
    if (error.code !== 'EEXIST') throw error
  })
  await unlink(draft)
  return (await readFile(path, 'utf8')).trim()
}

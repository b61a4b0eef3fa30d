import { randomBytes } from 'node:crypto'
import { link, open, readFile, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import { namePath } from '../file/file-error.ts'
import { makeFolder } from '../file/make-folder.ts'

const MIN_SECRET_CHARS = 32

/** The secret of the installation: the configured text, else one made at the first start and kept in `dataDir`. */
export async function loadSecretKey(configured: string, dataDir: string): Promise<Uint8Array> {
  return utf8ToBytes(configured === '' ? await keepSecret(dataDir) : configured)
}

/** Creates or reads the secret. Two processes may start at once: each links the name to a complete file, and only one link succeeds. */
async function keepSecret(dataDir: string): Promise<string> {
  const path = join(dataDir, 'secret_key')
  const known = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) =>
    // An existing file that cannot be read must not count as missing.
    error.code === 'ENOENT' ? undefined : namePath(path)(error),
  )
  if (known !== undefined) return checked(known.trim(), path)
  await makeFolder(dataDir)
  const draft = `${path}-${randomBytes(6).toString('hex')}`
  const file = await open(draft, 'wx', 0o600)
  try {
    await file.writeFile(`${randomBytes(32).toString('base64url')}\n`)
    // Without this, a power cut could leave an empty file under the name.
    await file.sync()
  } catch (error) {
    await unlink(draft).catch(() => undefined)
    namePath(path)(error)
  } finally {
    await file.close()
  }
  await link(draft, path).catch((error) => {
    if (error.code !== 'EEXIST') throw error
  })
  await unlink(draft)
  return checked((await readFile(path, 'utf8')).trim(), path)
}

function checked(secret: string, path: string): string {
  if (secret.length >= MIN_SECRET_CHARS) return secret
  throw new Error(`${path} is damaged. Restore it from a backup, or delete it and create every API key again.`)
}

import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Makes a folder, with those above it. Unlike Node's own `recursive` it ends below a folder that takes no others: `/proc` says that
 * the folder above does not exist, which Node then makes, for ever.
 */
export async function makeFolder(path: string): Promise<void> {
  const refused = await tryToMake(path)
  if (refused === undefined) return
  if (refused.code !== 'ENOENT') throw refused
  await makeFolder(dirname(path))
  const again = await tryToMake(path)
  if (again !== undefined) throw again.code === 'ENOENT' ? Object.assign(again, { code: 'EROFS' }) : again
}

async function tryToMake(path: string): Promise<NodeJS.ErrnoException | undefined> {
  const error = await mkdir(path).then(
    () => undefined,
    (reason: NodeJS.ErrnoException) => reason,
  )
  const isThere = error !== undefined && (await stat(path).catch(() => undefined))?.isDirectory()
  return isThere ? undefined : error
}

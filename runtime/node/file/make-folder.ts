import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Makes a folder and its parents. Unlike Node's `recursive` it does not hang below a folder that allows no subfolders: in `/proc` the error
 * is that the parent does not exist, and Node then tries to create that for ever.
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

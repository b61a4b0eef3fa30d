import { readFile, realpath, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

export interface Account {
  readonly uid: number
  readonly gid: number
}

/**
 * The account a program runs as that refuses root: the owner of `path` if that is not root, otherwise `postgres`, otherwise
 * `nobody`. Undefined when this process is not root and may run it itself.
 */
export async function unprivilegedAccount(path: string): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined
  const owner = await stat(path).catch(() => undefined)
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid }
  const passwd = await readFile('/etc/passwd', 'utf8').catch(() => '')
  for (const name of ['postgres', 'nobody']) {
    const [, , uid, gid] = passwd.match(new RegExp(`^${name}:.*$`, 'm'))?.[0].split(':') ?? []
    if (Number(uid) > 0) return { uid: Number(uid), gid: Number(gid) }
  }
  return { uid: 65_534, gid: 65_534 }
}

/** Whether the account may enter every folder down to `path`, going by mode bits. */
export async function canReach(path: string, { uid, gid }: Account): Promise<boolean> {
  let folder = await realpath(path)
  while (true) {
    const { mode, uid: owner, gid: group } = await stat(folder)
    const enter = owner === uid ? 0o100 : group === gid ? 0o010 : 0o001
    if ((mode & enter) === 0) return false
    const parent = dirname(folder)
    if (parent === folder) return true
    folder = parent
  }
}

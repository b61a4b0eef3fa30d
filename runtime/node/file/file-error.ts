import { userInfo } from 'node:os'

/** Sentences about errors of files and folders and what to do, by the code of the system. */
const SENTENCES: Readonly<Record<string, (path: string) => string>> = {
  EACCES: (path) => `The system user ${userInfo().username} may not use ${path}. Change its owner or its permissions.`,
  EPERM: (path) =>
    `The system user ${userInfo().username} may not change ${path}. Change its owner or its permissions.`,
  EROFS: (path) => `${path} is on a file system that cannot be written. Choose another place.`,
  ENOSPC: (path) => `There is no space left on the disk of ${path}. Free some, and try again.`,
  EDQUOT: (path) => `The disk quota is used up for ${path}. Free some space, and try again.`,
  ENOENT: (path) => `There is no file or folder ${path}. Check the name.`,
  EISDIR: (path) => `${path} is a folder, not a file. Name a file.`,
  ENOTDIR: (path) => `${path} is not a folder, or is said to be inside of a file. Name a folder.`,
  EEXIST: (path) => `${path} exists already and is not a folder. Choose another name.`,
  ELOOP: (path) => `The symbolic links of ${path} go round in a circle. Correct them.`,
  ENAMETOOLONG: (path) => `The name ${path} is too long. Choose a shorter one.`,
  EMFILE: (path) => `Too many files are open, so ${path} cannot be opened. Raise the limit of open files (ulimit -n).`,
  ENFILE: (path) => `Too many files are open on this machine, so ${path} cannot be opened. Close other programs.`,
  EIO: (path) => `The disk of ${path} reports an error. Check the disk, and restore a backup if data is lost.`,
}

/** A sentence for a person about an error of the file system; undefined for any other error. */
export function explainFileError(error: unknown): string | undefined {
  const { code, path, syscall } = Object(error) as NodeJS.ErrnoException
  // Sockets and started programs give the same codes.
  if (code === undefined || !Object.hasOwn(SENTENCES, code) || /^(listen|bind|connect|spawn)/.test(syscall ?? ''))
    return undefined
  return SENTENCES[code]!(path ?? 'the data folder (data_dir)')
}

/** For `catch`: adds the path to an error that lacks it because the file was already open. */
export function namePath(path: string): (error: unknown) => never {
  return (error) => {
    throw error instanceof Error && 'code' in error ? Object.assign(error, { path: Object(error).path ?? path }) : error
  }
}

const TEXTS: readonly (readonly [RegExp, keyof typeof SENTENCES])[] = [
  [/No space left on device/, 'ENOSPC'],
  [/Disk quota exceeded/, 'EDQUOT'],
  [/Read-only file system/, 'EROFS'],
  [/Permission denied/, 'EACCES'],
  [/Too many open files/, 'EMFILE'],
  [/Input\/output error/, 'EIO'],
]

/** Such a sentence from the output of a system program that failed. */
export function explainTranscript(transcript: string, path: string): string | undefined {
  const known = TEXTS.find(([text]) => text.test(transcript))
  return known && SENTENCES[known[1]]!(path)
}

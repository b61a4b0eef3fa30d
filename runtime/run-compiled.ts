import { isAscii } from 'node:buffer'
import { createHash, type Hash } from 'node:crypto'
import { accessSync, chmodSync, constants, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { cachedDataVersionTag } from 'node:v8'
import { Script } from 'node:vm'

/** The built program, as a function of what Node gives a module. */
const PROGRAM = fileURLToPath(new URL('./svc.cjs', import.meta.url))
/** Who runs it: a service runs other parts of the program than commands do, so each of them keeps the code of its own. */
type Kind = 'serve' | 'command'
const KIND: Kind = process.argv[2] === 'serve' ? 'serve' : 'command'
/** The code that V8 compiled of it, and behind that a hash of both. Each version of V8 and each set of its flags has files of its own. */
const compiledOf = (kind: Kind) =>
  fileURLToPath(new URL(`./svc.${cachedDataVersionTag()}.${kind}.compiled`, import.meta.url))
const HASH_BYTES = 32
/** By then a service has started and answered. Later V8 drops the code of the start, which has not run for a while. */
const KEEP_AFTER_MS = 5_000

type Program = (
  require: NodeJS.Require,
  filename: string,
  dirname: string,
  importModule: (specifier: string) => Promise<unknown>,
) => void

/**
 * Loads the program with the code of an earlier run: to compile five megabytes takes most of the time of a short command. The code is kept
 * beside the program where that folder can be written.
 */
function load(): Program {
  const source = readFileSync(PROGRAM)
  const hash = createHash('sha256').update(source)
  const own = readCompiled(KIND, hash)
  // Where only root can write, root has run a command.
  const cachedData = own ?? readCompiled('command', hash)
  // The build writes ASCII, of which V8 keeps the bytes as they are.
  const script = new Script(source.toString(isAscii(source) ? 'latin1' : 'utf8'), {
    filename: PROGRAM,
    ...(cachedData && { cachedData }),
  })
  if (!own || script.cachedDataRejected) keepLater(script, hash)
  return script.runInThisContext()
}

/** The kept code if it is whole and of this program. V8 itself would take that of any program of the same length. */
function readCompiled(kind: Kind, hash: Hash): Buffer | undefined {
  try {
    const kept = readFileSync(compiledOf(kind))
    const code = kept.subarray(0, -HASH_BYTES)
    return kept.subarray(-HASH_BYTES).equals(hash.copy().update(code).digest()) ? code : undefined
  } catch {
    return undefined
  }
}

/** Keeps the code when the process ends, or earlier if it goes on. */
function keepLater(script: Script, hash: Hash): void {
  const keep = () => {
    process.off('exit', keep)
    keepCompiled(script, hash)
  }
  process.on('exit', keep)
  setTimeout(keep, KEEP_AFTER_MS).unref()
}

/** Keeps what has been compiled until now. A process that is cut off, or writes at the same time, leaves a file that is not taken but written again. */
function keepCompiled(script: Script, hash: Hash): void {
  try {
    const file = compiledOf(KIND)
    accessSync(dirname(file), constants.W_OK)
    const code = script.createCachedData()
    writeFileSync(file, Buffer.concat([code, hash.copy().update(code).digest()]))
    // For the user of the service, too, when root runs the first command.
    chmodSync(file, 0o644)
  } catch {
    // The folder is not ours to write, or the disk is full: the next start compiles again.
  }
}

load()(createRequire(PROGRAM), PROGRAM, dirname(PROGRAM), (specifier) => import(specifier))

import { createHash, type Hash } from 'node:crypto'
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Script } from 'node:vm'

/** The built program, as a function of what Node gives a module. */
const PROGRAM = fileURLToPath(new URL('./svc.cjs', import.meta.url))
/** The code that V8 compiled of it, and behind that a hash of both. */
const COMPILED = fileURLToPath(new URL('./svc.compiled', import.meta.url))
const HASH_BYTES = 32

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
  const hash = createHash('sha256').update(`${process.version} ${process.arch} `).update(source)
  const cachedData = readCompiled(hash)
  // The bundler writes nothing but ASCII.
  const script = new Script(source.toString('latin1'), {
    filename: PROGRAM,
    ...(cachedData && { cachedData }),
  })
  if (!cachedData) process.once('exit', () => keepCompiled(script, hash))
  return script.runInThisContext()
}

/** The kept code if it is whole, of this program and of this Node. V8 itself would take that of any program of the same length. */
function readCompiled(hash: Hash): Buffer | undefined {
  try {
    const kept = readFileSync(COMPILED)
    const code = kept.subarray(0, -HASH_BYTES)
    return kept.subarray(-HASH_BYTES).equals(hash.copy().update(code).digest()) ? code : undefined
  } catch {
    return undefined
  }
}

/** Keeps what has been compiled until now; other processes read the whole file or none. */
function keepCompiled(script: Script, hash: Hash): void {
  const draft = `${COMPILED}.${process.pid}`
  try {
    const code = script.createCachedData()
    writeFileSync(draft, Buffer.concat([code, hash.copy().update(code).digest()]))
    renameSync(draft, COMPILED)
  } catch {
    // The folder is not ours to write, or the disk is full: the next start compiles again.
    rmSync(draft, { force: true })
  }
}

load()(createRequire(PROGRAM), PROGRAM, dirname(PROGRAM), (specifier) => import(specifier))

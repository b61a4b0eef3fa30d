import { randomBytes } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inject } from 'vitest'
import { bundleWorker } from '../../runtime/build/build.mjs'

export { WORKER_COMPATIBILITY } from '../../runtime/build/build.mjs'

const root = join(import.meta.dirname, '../..')
const bundlePath = join(root, '.build', 'test-worker.mjs')

/** The test worker as one module; bundled by the first test file of a run that asks. */
export async function workerScript(): Promise<string> {
  const stamp = `// ${inject('runId')}\n`
  const known = await readFile(bundlePath, 'utf8').catch(() => '')
  if (known.startsWith(stamp)) return known
  const script = stamp + (await bundleWorker(join(import.meta.dirname, 'worker-entry.ts'))).script
  await mkdir(join(root, '.build'), { recursive: true })
  const draft = `${bundlePath}.${randomBytes(4).toString('hex')}`
  await writeFile(draft, script)
  await rename(draft, bundlePath)
  return script
}

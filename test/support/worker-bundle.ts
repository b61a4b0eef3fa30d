import { randomBytes } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inject } from 'vitest'
import { bundleWorker } from '../../runtime/worker/bundle.ts'

export { WORKER_COMPATIBILITY } from '../../runtime/worker/bundle.ts'

const root = join(import.meta.dirname, '../..')
const bundlePath = join(root, '.build', 'test-worker.mjs')

/** The test worker as one module; bundled by the first test file of a run that asks. */
export async function workerScript(): Promise<string> {
  const stamp = `// ${inject('runId')}\n`
  const known = await readFile(bundlePath, 'utf8').catch(() => '')
  if (known.startsWith(stamp)) return known
  await mkdir(join(root, '.build'), { recursive: true })
  const draft = `${bundlePath}.${randomBytes(4).toString('hex')}`
  await bundleWorker(join(import.meta.dirname, 'worker-entry.ts'), draft)
  const script = stamp + (await readFile(draft, 'utf8'))
  await writeFile(draft, script)
  await rename(draft, bundlePath)
  return script
}

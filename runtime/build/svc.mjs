#!/usr/bin/env node
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** A package is built before it is packed and has no lock file. */
const isSource = existsSync(fileURLToPath(new URL('../../package-lock.json', import.meta.url)))
const program = new URL('../../.build/svc.js', import.meta.url)
const parent = process.ppid

try {
  if (isSource) await (await import('./build.mjs')).buildService()
} catch (error) {
  // An installation without development packages cannot build; it runs what was built before.
  if (error.code !== 'ERR_MODULE_NOT_FOUND' || !existsSync(fileURLToPath(program))) {
    console.error(error.message)
    process.exit(1)
  }
}
// Whoever started this may have ended during the build; from here on the program watches for that itself.
if (process.ppid !== parent) process.exit(1)
await import(program.href)

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Version in the `package.json` above this file, which is one folder up from the built program and two from the source. */
export function programVersion(): string {
  const file = ['..', '../..'].map((up) => join(import.meta.dirname, up, 'package.json')).find(existsSync)
  return file === undefined ? 'unknown' : JSON.parse(readFileSync(file, 'utf8')).version
}

import { execFileSync } from 'node:child_process'
import { existsSync, rmSync, writeFileSync } from 'node:fs'

/** What Debian asks whether a package may start its service when it is installed. */
const POLICY = '/usr/sbin/policy-rc.d'

/** Whether this process may install packages. */
export const mayInstall = (): boolean => process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')

/** Installs packages without starting what they bring. */
export function installPackages(names: readonly string[]): void {
  const hasPolicy = existsSync(POLICY)
  if (!hasPolicy) writeFileSync(POLICY, '#!/bin/sh\nexit 101\n', { mode: 0o755 })
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const run = (...args: string[]) => execFileSync('apt-get', args, { env, stdio: 'ignore', timeout: 600_000 })
  try {
    run('update')
    run('install', '--yes', '--no-install-recommends', ...names)
  } finally {
    if (!hasPolicy) rmSync(POLICY)
  }
}

import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The suite runs in several processes, and `apt-get` fails at once while another one runs. */
const LOCK = join(tmpdir(), 'modulus-test-packages.lock')

/** How long an installation may take, with the wait for others. */
const LIMIT = '15m'

/** Arguments are the packages. Debian asks the policy whether a package may start its service when it is installed. */
const INSTALL = `
  policy=/usr/sbin/policy-rc.d
  if [ ! -e $policy ]; then
    trap 'rm -f $policy' EXIT
    printf '#!/bin/sh\\nexit 101\\n' >$policy
    chmod 755 $policy
  fi
  apt-get update && apt-get install --yes --no-install-recommends "$@"`

/** Whether this process may install packages. */
export const mayInstall = (): boolean => process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')

/** Installs packages without starting what they bring. Waits for another process that installs some; an error has the words of `apt-get`. */
export function installPackages(names: readonly string[]): void {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  // `timeout` ends the whole group, of which the lock would otherwise outlive its holder.
  const args = [LIMIT, 'flock', LOCK, 'sh', '-c', INSTALL, 'install', ...names]
  execFileSync('timeout', args, { env, stdio: ['ignore', 'ignore', 'pipe'] })
}

import { spawn } from 'node:child_process'
import { watch } from 'node:fs'
import { fileURLToPath } from 'node:url'

process.env.MODULUS_DEV = '1'
const { buildService } = await import('./build.mjs')

const root = fileURLToPath(new URL('../..', import.meta.url))
const FOLDERS = ['kernel', 'handlers', 'addons', 'runtime', 'migrations']
const QUIET_MS = 80

let server
let timer
let isBuilding = false
/** Changes of the server's own files need another process; those of the browser's only another build. */
let needsRestart = false

async function rebuild() {
  if (isBuilding) return schedule()
  isBuilding = true
  const isServer = needsRestart
  needsRestart = false
  try {
    await buildService()
    if (isServer || !server) await restart()
  } catch (error) {
    console.error(error.message)
  }
  isBuilding = false
}

async function restart() {
  await stop()
  server = spawn(process.execPath, ['.build/svc.js', 'serve', ...process.argv.slice(2)], {
    cwd: root,
    stdio: 'inherit',
  })
}

async function stop() {
  const running = server
  server = undefined
  if (!running || running.exitCode !== null) return
  const gone = new Promise((resolve) => running.once('exit', resolve))
  running.kill('SIGTERM')
  await gone
}

function schedule() {
  clearTimeout(timer)
  timer = setTimeout(rebuild, QUIET_MS)
}

for (const folder of FOLDERS) {
  watch(new URL(`../../${folder}`, import.meta.url), { recursive: true }, (_, file) => {
    const path = file ?? ''
    if (!/\.(m?tsx?|mjs|css|xml|csv|sql)$/.test(path)) return
    needsRestart ||= !/(^|\/)client\//.test(path) || folder === 'kernel'
    schedule()
  })
}
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => void stop().then(() => process.exit(0)))

await rebuild()

import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readFile, rm, stat, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { build } from '../../runtime/build/build.mjs'
import { stopServer } from '../../runtime/node/embedded/postgres-cluster.ts'
import { createEmptyDatabase, type TestDatabase } from '../support/database.ts'
import { repeats } from '../support/soak.ts'
import { waitForOutput } from '../support/svc.ts'

const run = promisify(execFile)

let folder: string
let database: TestDatabase
let npx: ChildProcess | undefined
let packed: readonly string[]

const environment = (more: Readonly<Record<string, string>> = {}) => {
  const { PATH, HOME } = process.env
  return { PATH, HOME, NO_COLOR: '1', ...more }
}

/** Packs the program and installs it into an empty folder, with the packages that are installed here. */
async function installPackage(): Promise<readonly string[]> {
  const { stdout } = await run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder])
  const [{ filename, files }] = JSON.parse(stdout)
  const home = join(folder, 'node_modules/modulus')
  await mkdir(join(folder, 'node_modules/.bin'), { recursive: true })
  await mkdir(home)
  await run('tar', ['xzf', join(folder, filename), '-C', home, '--strip-components=1'])
  const { dependencies, optionalDependencies, peerDependencies, bin } = JSON.parse(
    await readFile(join(home, 'package.json'), 'utf8'),
  )
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })) {
    await mkdir(dirname(join(folder, 'node_modules', name)), { recursive: true })
    await symlink(resolve('node_modules', name), join(folder, 'node_modules', name))
  }
  for (const [name, path] of Object.entries<string>(bin)) {
    await chmod(join(home, path), 0o755)
    await symlink(join('../modulus', path), join(folder, 'node_modules/.bin', name))
  }
  return files.map(({ path }: { path: string }) => path)
}

beforeAll(async () => {
  await build()
  folder = await mkdtemp(join(tmpdir(), 'modulus-package-'))
  database = await createEmptyDatabase()
  packed = await installPackage()
})
afterAll(async () => {
  npx?.kill('SIGKILL')
  await stopServer(join(folder, '.data/postgres'))
  await rm(folder, { recursive: true, force: true })
  await database.drop()
})

const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  )

test('the package has the built program and its types, and neither tests nor figures', () => {
  expect(packed).toEqual(
    expect.arrayContaining(['.build/svc.js', '.build/svc.cjs', '.build/modulus.js', '.build/worker.js']),
  )
  expect(packed).toEqual(expect.arrayContaining(['.build/web/manifest.json', 'runtime/index.ts', 'README.md']))
  expect(
    packed.filter((path) =>
      /(^|\/)test\/.*\.ts$|^test\/|bench|scale\.js|\.map$|screenshot|inputs\.json|compiled$/.test(path),
    ),
  ).toEqual([])
})

test('`npx modulus` starts the service in an empty folder', async () => {
  npx = spawn('npx', ['modulus'], {
    cwd: folder,
    env: environment({ SVC_HTTP_PORT: '0', SVC_DRAIN_SECONDS: '0' }),
    stdio: 'pipe',
  })
  const [, url] = await waitForOutput(npx, /ready at (\S+)/)
  const page = await (await fetch(`${url}/setup`)).text()
  expect(page).toContain(' · Modulus</title>')
  const [, style = ''] = /<link rel="stylesheet" href="([^"]+)"/.exec(page) ?? []
  expect((await fetch(url + style)).status).toBe(200)
  npx.kill('SIGTERM')
  await expect.poll(() => exists(join(folder, '.data/postgres/data/postmaster.pid'))).toBe(false)
})

test('`npx modulus new` writes an addon whose own test passes, and in the long form its types fit', async () => {
  const { stdout } = await run('npx', ['modulus', 'new', 'my-addon', '--json'], { cwd: folder, env: environment() })
  const { module, written } = JSON.parse(stdout)
  expect([module, written]).toEqual(['my_addon', expect.arrayContaining(['addons/my_addon/addon.ts', 'svc.ini'])])
  const own = 'addons/my_addon/test/item.test.mjs'
  const tested = await run(process.execPath, ['--test', own], {
    cwd: folder,
    env: environment({ TEST_DB_DSN: database.dsn }),
  })
  expect(tested.stdout).toMatch(/pass 3\n.*fail 0\n/)
  for (let checks = repeats(0, 1); checks > 0; checks--) await run(resolve('node_modules/.bin/tsc'), ['-p', folder])
  const again = run(process.execPath, ['node_modules/.bin/modulus', 'new', 'my-addon'], { cwd: folder })
  await expect(again).rejects.toMatchObject({ code: 2, stderr: expect.stringContaining('exists already') })
})

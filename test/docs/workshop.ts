import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { waitForOutput } from '../support/svc.ts'
import { root } from './markdown.ts'

export interface Finished {
  readonly code: number
  /** Standard output, then standard error. */
  readonly output: string
}

export interface Service {
  readonly url: string
  stop(): Promise<void>
}

/** A fresh checkout of the repository as it is now, in which a test does what a page says. */
export interface Workshop {
  write(files: ReadonlyMap<string, string>): Promise<void>
  /** Runs any program in the folder. */
  run(program: string, ...args: readonly string[]): Promise<Finished>
  /** Runs a program of `node_modules/.bin`. */
  tool(name: string, ...args: readonly string[]): Promise<Finished>
  /** Runs a script of the checkout with Node. */
  node(...args: readonly string[]): Promise<Finished>
  /** Starts the built service on a free port. */
  serve(): Promise<Service>
  close(): Promise<void>
}

/** `settings`: the environment of everything that runs in it, beside what programs need to start at all. */
export async function openWorkshop(settings: Readonly<Record<string, string>>): Promise<Workshop> {
  const folder = await mkdtemp(join(tmpdir(), 'modulus-readme-'))
  await copyCheckout(folder)
  const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], NO_COLOR: '1', ...settings }
  const services = new Set<Service>()

  const run = (program: string, args: readonly string[]) =>
    new Promise<Finished>((resolve) => {
      execFile(program, [...args], { cwd: folder, env, maxBuffer: 10_000_000 }, (error, stdout, stderr) =>
        resolve({ code: error ? Number(error.code ?? 1) : 0, output: stdout + stderr }),
      )
    })

  return {
    async write(files) {
      for (const [path, text] of files) {
        await mkdir(dirname(join(folder, path)), { recursive: true })
        await writeFile(join(folder, path), text)
      }
    },
    run: (program, ...args) => run(program, args),
    tool: (name, ...args) => run(process.execPath, [join(folder, 'node_modules/.bin', name), ...args]),
    node: (...args) => run(process.execPath, args),
    async serve() {
      const child = spawn(process.execPath, ['.build/svc.js', 'serve'], { cwd: folder, env, stdio: 'pipe' })
      const service = { url: '', stop: () => end(child) }
      services.add(service)
      const [, url = ''] = await waitForOutput(child, /ready at (\S+)/)
      // The rest of its output must be read, or a full pipe would stop the service.
      child.stdout.resume()
      child.stderr.resume()
      return { ...service, url }
    },
    async close() {
      for (const service of services) await service.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Everything git knows or would add; what is ignored, such as builds and data, stays behind. */
async function copyCheckout(folder: string): Promise<void> {
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], { cwd: root, encoding: 'utf8' })
  for (const path of new Set(listed.split('\0').filter(Boolean))) {
    // A file that somebody has just removed is no longer part of the checkout.
    await cp(join(root, path), join(folder, path)).catch((error) => {
      if (error.code !== 'ENOENT') throw error
    })
  }
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGINT')
  await gone
}

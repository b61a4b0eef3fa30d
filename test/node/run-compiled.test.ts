import { isAscii } from 'node:buffer'
import { execFile, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { build } from '../../runtime/build/build.mjs'

const run = promisify(execFile)

let folder: string

const at = (name: string) => join(folder, '.build', name)
const say = (flags: readonly string[] = []) => run(process.execPath, [...flags, at('svc.js'), '--version'])
const version = async () => (await say()).stdout
const files = async () => (await readdir(join(folder, '.build'))).filter((name) => name.endsWith('.compiled'))
/** The only such file. */
const compiled = async () => {
  const found = await files()
  expect(found).toHaveLength(1)
  return at(found[0]!)
}
/** Whether it is written to its end, with the hash of program and code behind the code. */
const isWhole = async () => {
  if ((await files()).length === 0) return false
  const [program, kept] = [await readFile(at('svc.cjs')), await readFile(await compiled())]
  const hash = createHash('sha256').update(program).update(kept.subarray(0, -32)).digest()
  return hash.equals(kept.subarray(-32))
}
const writtenAt = async () => (await stat(await compiled())).mtimeMs
/** Changes a sentence of the program. */
const replaceIn = async (sentence: string, by: string) => {
  const source = await readFile(at('svc.cjs'), 'utf8')
  expect(source).toContain(sentence)
  await writeFile(at('svc.cjs'), source.replace(sentence, by))
}
const nonsense = () => run(process.execPath, [at('svc.js'), 'nonsense'])

beforeAll(() => build())
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'modulus-compiled-'))
  await mkdir(join(folder, '.build'))
  for (const name of ['.build/svc.js', '.build/svc.cjs', 'package.json']) await copyFile(name, join(folder, name))
  return () => rm(folder, { recursive: true })
})

describe('the code that is compiled of the program', () => {
  test('is kept by the first run and taken by the next ones, which would otherwise keep it again', async () => {
    const said = await version()
    const written = await writtenAt()
    expect(await version()).toBe(said)
    expect(await writtenAt()).toBe(written)
  })

  test('of another program of the same length is not run', async () => {
    // With the code that says so, which is compiled only when it runs.
    await expect(nonsense()).rejects.toMatchObject({ stderr: expect.stringContaining('Unknown command') })
    await replaceIn('Unknown command', 'UNKNOWN COMMAND')
    await expect(nonsense()).rejects.toMatchObject({ code: 2, stderr: expect.stringContaining('UNKNOWN COMMAND') })
  })

  test('is kept once for each set of flags of V8', async () => {
    const small = ['--max-old-space-size=512']
    for (const flags of [[], small, [], small]) await say(flags)
    expect(await files()).toHaveLength(2)
  })

  test('is kept for services and for commands, which run different parts of the program', async () => {
    await say()
    await expect(run(process.execPath, [at('svc.js'), 'serve', '--port', 'x'])).rejects.toMatchObject({ code: 2 })
    expect((await files()).map((name) => name.split('.')[2]).toSorted()).toEqual(['command', 'serve'])
  })

  test('is kept by a process that goes on, and that nobody lets come to its end', async () => {
    const line = ['user', 'password', '--login', 'nobody', '--password-file', '-']
    const going = spawn(process.execPath, [at('svc.js'), ...line], { cwd: folder, stdio: ['pipe', 'ignore', 'ignore'] })
    await expect.poll(isWhole).toBe(true)
    going.kill('SIGKILL')
    const written = await writtenAt()
    await say()
    expect(await writtenAt()).toBe(written)
  })

  test('can be read by the user of the service when root runs the first command', async () => {
    await run('sh', ['-c', 'umask 077; exec "$0" "$1" --version', process.execPath, at('svc.js')])
    expect((await stat(await compiled())).mode & 0o777).toBe(0o644)
  })

  test.each<[string, (whole: Buffer) => Buffer]>([
    ['is cut short', (whole) => whole.subarray(0, whole.length >> 1)],
    ['is empty', () => Buffer.alloc(0)],
    [
      'has one wrong byte',
      (whole) => {
        whole[whole.length >> 1]! ^= 1
        return whole
      },
    ],
  ])('is compiled again when the file %s', async (_, damage) => {
    const said = await version()
    const file = await compiled()
    const whole = await readFile(file)
    const damaged = damage(Buffer.from(whole))
    await writeFile(file, damaged)
    expect(await version()).toBe(said)
    const mended = await readFile(file)
    expect(mended.equals(damaged)).toBe(false)
    expect(mended.length).toBeGreaterThan(1_000_000)
  })

  test('is not needed where it cannot be written', async () => {
    const said = await version()
    const file = await compiled()
    await rm(file)
    await mkdir(file)
    expect(await version()).toBe(said)
    expect((await stat(file)).isDirectory()).toBe(true)
  })
})

describe('the program', () => {
  test('has one byte for each character, and is read right if it has not', async () => {
    expect(isAscii(await readFile(at('svc.cjs')))).toBe(true)
    await replaceIn('Unknown command', 'Unbekannt, für 5 € → 😀')
    await expect(nonsense()).rejects.toMatchObject({ stderr: expect.stringContaining('Unbekannt, für 5 € → 😀') })
  })

  test('has the named characters of XML and not the thousands of HTML, which take long to load', async () => {
    expect(await readFile(at('svc.cjs'), 'utf8')).not.toContain('CounterClockwiseContourIntegral')
  })

  test('that does not come to the end of its line has failed', async () => {
    await replaceIn(';runLine(', ';(() => new Promise(() => {}))(')
    await expect(say()).rejects.toMatchObject({ code: 1 })
  })
})

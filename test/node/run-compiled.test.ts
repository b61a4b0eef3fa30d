import { execFile } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { build } from '../../runtime/build/build.mjs'

const run = promisify(execFile)

let folder: string

const at = (name: string) => join(folder, '.build', name)
const version = async () => (await run(process.execPath, [at('svc.js'), '--version'])).stdout
const writtenAt = async () => (await stat(at('svc.compiled'))).mtimeMs

beforeAll(() => build())
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'modulus-compiled-'))
  await mkdir(join(folder, '.build'))
  for (const name of ['.build/svc.js', '.build/svc.cjs', 'package.json']) await copyFile(name, join(folder, name))
  return () => rm(folder, { recursive: true })
})

describe('the code that is compiled of the program', () => {
  test('is kept by the first run and taken by the next ones', async () => {
    const said = await version()
    const written = await writtenAt()
    expect(await version()).toBe(said)
    expect(await writtenAt()).toBe(written)
  })

  test('of another program of the same length is not run', async () => {
    await version()
    const source = await readFile(at('svc.cjs'), 'latin1')
    const other = source.replace('Unknown command', 'UNKNOWN COMMAND')
    expect(other).not.toBe(source)
    await writeFile(at('svc.cjs'), other, 'latin1')
    const wrong = run(process.execPath, [at('svc.js'), 'nonsense'])
    await expect(wrong).rejects.toMatchObject({ code: 2, stderr: expect.stringContaining('UNKNOWN COMMAND') })
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
    const whole = await readFile(at('svc.compiled'))
    const damaged = damage(Buffer.from(whole))
    await writeFile(at('svc.compiled'), damaged)
    expect(await version()).toBe(said)
    const mended = await readFile(at('svc.compiled'))
    expect(mended.equals(damaged)).toBe(false)
    expect(mended.length).toBeGreaterThan(1_000_000)
  })

  test('is not needed where the file cannot be written', async () => {
    await mkdir(at('svc.compiled'))
    expect(await version()).toBe(await version())
    expect((await stat(at('svc.compiled'))).isDirectory()).toBe(true)
  })
})

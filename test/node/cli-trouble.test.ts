import { execFileSync } from 'node:child_process'
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { AppError } from '../../kernel/errors.ts'
import { describeError } from '../../runtime/cli/line/describe-error.ts'
import { explainFileError, explainTranscript } from '../../runtime/node/file/file-error.ts'
import { connectDatabase } from '../../runtime/postgres/database.ts'
import { baseTemplate } from '../support/base-database.ts'
import { runInProcess } from '../support/cli.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'

/** What the command line says when files or the database keep it from working: one sentence that names them. */

let folder: string
let database: TestDatabase

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'modulus-trouble-'))
  database = await createDatabase(baseTemplate)
})
afterAll(async () => {
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

const svc = (line: string, settings: Record<string, string> = {}) =>
  runInProcess(line, { SVC_DB_DSN: database.dsn, SVC_DATA_DIR: folder, ...settings })

describe('a file', () => {
  const user = userInfo().username

  test.each([
    ['EACCES', `The system user ${user} may not use /x. Change its owner or its permissions.`],
    ['EPERM', `The system user ${user} may not change /x. Change its owner or its permissions.`],
    ['EROFS', '/x is on a file system that cannot be written. Choose another place.'],
    ['ENOSPC', 'There is no space left on the disk of /x. Free some, and try again.'],
    ['EMFILE', 'Too many files are open, so /x cannot be opened. Raise the limit of open files (ulimit -n).'],
  ])('with %s is told in one sentence', (code, sentence) => {
    const error = Object.assign(new Error(`${code}: raw, open '/x'`), { code, path: '/x', syscall: 'open' })
    expect(describeError(error)).toBe(sentence)
  })

  test('is not blamed for what sockets and programs do', () => {
    const refused = Object.assign(new Error('listen EACCES'), { code: 'EACCES', syscall: 'listen', port: 80 })
    expect(explainFileError(refused)).toBeUndefined()
    expect(explainFileError(new Error('no code'))).toBeUndefined()
  })

  // Elsewhere there is no /proc, which nobody can write to, not even root.
  test.skipIf(process.platform !== 'linux')('in a place without room for files is reported', async () => {
    expect(await svc('mail list', { SVC_DATA_DIR: '/proc/x' })).toMatchObject({
      code: 1,
      stderr: 'svc: /proc/x is on a file system that cannot be written. Choose another place.\n',
    })
  })

  test('with a password that does not exist or is a folder is reported', async () => {
    const missing = join(folder, 'no-password')
    const line = (file: string) => `user create --login x --password-file ${file}`
    expect(await svc(line(missing))).toMatchObject({
      code: 1,
      stderr: `svc: There is no file or folder ${missing}. Check the name.\n`,
    })
    const sentence = `${folder} is a folder, not a file. Name a file.`
    expect(await svc(line(folder))).toMatchObject({ code: 1, stderr: `svc: ${sentence}\n` })
    expect((await svc(`${line(folder)} --json`)).json).toMatchObject({ error: { message: sentence } })
  })

  test('of settings that is a folder is reported', async () => {
    expect(await svc(`module list --config ${folder}`)).toMatchObject({
      code: 1,
      stderr: `svc: ${folder} is a folder, not a file. Name a file.\n`,
    })
  })

  test('in the place of a data folder or of an addons folder is reported, and so is a font that is missing', async () => {
    const file = join(folder, 'file')
    await writeFile(file, '')
    expect(await svc('module list', { SVC_ADDONS_PATH: file })).toMatchObject({
      code: 1,
      stderr: `svc: SVC_ADDONS_PATH: ${file} is not a folder, or is said to be inside of a file. Name a folder.\n`,
    })
    const ini = join(folder, 'fonts.ini')
    await writeFile(ini, 'log_level = error\npdf_fonts = /none.ttf\n')
    expect(await svc(`module list --config ${ini}`)).toMatchObject({
      code: 1,
      stderr: `svc: ${ini}:2: pdf_fonts: There is no file or folder /none.ttf. Check the name.\n`,
    })
    for (const settings of [{ SVC_DATA_DIR: file }, { SVC_DATA_DIR: join(file, 'below'), SVC_DB_DSN: '' }]) {
      const { code, stderr } = await svc('module list', settings)
      expect([code, stderr.split('\n').length]).toEqual([1, 2])
      expect(stderr).toContain(`${file}`)
      expect(stderr).not.toMatch(/E[A-Z]{4,}:/)
    }
  })

  test('that holds the secret and cannot be read is not replaced', async () => {
    const data = join(folder, 'secret')
    await mkdir(join(data, 'secret_key'), { recursive: true })
    expect(await svc('key list', { SVC_DATA_DIR: data })).toMatchObject({
      code: 1,
      stderr: `svc: ${join(data, 'secret_key')} is a folder, not a file. Name a file.\n`,
    })
  })

  // Root may write everywhere.
  test.runIf(process.getuid?.() !== 0)('in a folder that this user may not write is reported', async () => {
    const closed = join(folder, 'closed')
    await mkdir(closed)
    await chmod(closed, 0o500)
    expect(await svc('module list', { SVC_DATA_DIR: closed })).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^svc: The system user .* may not use .*closed/),
    })
  })

  // Only root may mount the small disk that is filled.
  test.runIf(process.platform === 'linux' && process.getuid?.() === 0).for(['the secret', 'the database'])(
    'on a full disk is told in one sentence: %s',
    async (what, { skip }) => {
      const full = join(folder, what.replace(' ', '-'))
      await mkdir(full)
      try {
        execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=8m,mode=755', 'none', full], { stdio: 'ignore' })
      } catch {
        skip('This container may not mount a disk.')
      }
      try {
        if (what === 'the secret') execFileSync('dd', ['if=/dev/zero', `of=${full}/fill`, 'bs=4k'], { stdio: 'ignore' })
      } catch {
        // It ends when the disk is full.
      }
      try {
        const { code, stderr } = await svc('module list', { SVC_DATA_DIR: full, SVC_DB_DSN: '' })
        expect([code, stderr.split('\n').length]).toEqual([1, 2])
        expect(stderr).toMatch(/There is no space left on the disk of .*\. Free some, and try again\.\n$/)
      } finally {
        execFileSync('umount', [full])
      }
    },
  )

  test('is found in the transcript of a program', () => {
    const transcript = 'creating files ...\ninitdb: error: could not write to file "x": No space left on device\n'
    expect(explainTranscript(transcript, '/data')).toMatch(/^There is no space left on the disk of \/data\./)
    expect(explainTranscript('all is well', '/data')).toBeUndefined()
  })
})

describe('a database', () => {
  const { host, port } = { host: '127.0.0.1', port: 1 }
  const where = () => new URL(database.dsn).host

  test.each([
    ['ECONNREFUSED', `No PostgreSQL listens at ${host}:${port}. Start it, or check host and port in db_dsn.`],
    ['ENOTFOUND', 'There is no host no.such.host.invalid. Check the host in db_dsn.'],
  ])('that cannot be reached is told by its address: %s', async (code, sentence) => {
    const name = code === 'ENOTFOUND' ? 'no.such.host.invalid' : host
    const settings = { SVC_DB_DSN: `postgresql://x:hunter2@${name}:${port}/z` }
    const answer = await svc('module list', settings)
    // A machine without a name server says so instead.
    const told = answer.stderr.includes('cannot be looked up now') ? expect.any(String) : `svc: ${sentence}\n`
    expect(answer).toMatchObject({ code: 1, stderr: told })
    expect(answer.stderr).not.toContain('hunter2')
    const { json } = await svc('module list --json', settings)
    expect(json).toMatchObject({ ok: false, error: { code: 'UNAVAILABLE', details: { reason: 'database_away' } } })
    expect(`svc: ${json.error.message}\n`).toEqual(told)
  })

  test('that refuses the connection is reported with its name and user', async () => {
    const nowhere = database.dsn.replace(/\/[^/]*$/, '/nowhere')
    expect(await svc('module list', { SVC_DB_DSN: nowhere })).toMatchObject({
      code: 1,
      stderr: `svc: PostgreSQL at ${where()} has no database nowhere. Create it, or check db_dsn.\n`,
    })
    const stranger = database.dsn.replace(/\/\/[^@]*@/, '//nobody:wrong@')
    expect(await svc('module list', { SVC_DB_DSN: stranger })).toMatchObject({
      code: 1,
      stderr: `svc: PostgreSQL at ${where()} refuses the user nobody or the password. Check db_dsn.\n`,
    })
    const denied = Object.assign(new Error('permission denied for schema public'), { code: '42501' })
    expect(describeError(denied)).toBe('The user in db_dsn has too few rights. It must own the database.')
  })

  test('is not said to be unreachable when all connections to it are in use', async () => {
    const { db, close } = connectDatabase({
      ...{ dsn: database.dsn, maxConnections: 1, applicationName: 'busy', connectWaitMs: 50 },
    })
    const isThere = () =>
      db
        .selectFrom('sys_param')
        .select('key')
        .execute()
        .then(
          () => true,
          () => false,
        )
    await expect.poll(isThere).toBe(true)
    await db.connection().execute(async () => {
      const error = await db
        .selectFrom('sys_param')
        .selectAll()
        .execute()
        .catch((caught: unknown) => caught)
      expect(error).toBeInstanceOf(AppError)
      expect(describeError(error)).toBe(
        'The service is busy. Try again in a moment.\n  All 1 connections "busy" were in use for 50 ms.',
      )
    })
    await close()
  })
})

import { once } from 'node:events'
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../kernel/sql/sql.ts'
import { baseTemplate } from '../support/base-database.ts'
import { buildOnce } from '../support/build-once.ts'
import { runInProcess, split } from '../support/cli.ts'
import { createDatabase, createEmptyDatabase, type TestDatabase } from '../support/database.ts'
import { runSvc } from '../support/svc.ts'

let folder: string
let database: TestDatabase

beforeAll(async () => {
  await buildOnce()
  folder = await mkdtemp(join(tmpdir(), 'modulus-cli-'))
  database = await createDatabase(baseTemplate)
})
afterAll(async () => {
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

const PASSWORD = 'a horse of another colour'

const svc = (line: string, settings: Record<string, string> = {}, input = '', isTTY = false) =>
  runInProcess(line, { SVC_DB_DSN: database.dsn, SVC_DATA_DIR: folder, ...settings }, input, isTTY)

const query = async (text: string) => (await sql.raw<Record<string, unknown>>(text).execute(database.db)).rows

test('the program ends with the exit code of its command', async () => {
  const settings = { SVC_DB_DSN: database.dsn, SVC_DATA_DIR: folder }
  const run = (line: string) => runSvc(split(line), settings)
  expect(await run('module list --json')).toMatchObject({ code: 0, stderr: '', json: { ok: true } })
  expect(await run('module install nope')).toMatchObject({
    code: 1,
    stdout: '',
    stderr: 'svc: There is no module nope.\n',
  })
  expect(await run('nope')).toMatchObject({ code: 2, stdout: '' })
})

describe('the command line', () => {
  test('without a command or with --help lists the commands', async () => {
    for (const line of ['', '--help', '-h', 'help']) {
      const { code, stdout } = await svc(line)
      expect(code).toBe(0)
      expect(stdout).toContain('svc <command> [options]')
      expect(stdout).toContain('cron run')
    }
  })

  test('takes options before the command, too', async () => {
    expect((await svc('--json module list')).json).toMatchObject({ ok: true, modules: expect.any(Array) })
    const file = join(folder, 'no.ini')
    expect(await svc(`--config ${file} module list`)).toMatchObject({
      code: 1,
      stderr: `svc: ${file}: no such file.\n`,
    })
  })

  test('answers help as JSON where that is asked for', async () => {
    const { commands } = (await svc('help --json')).json
    expect(commands).toContainEqual(expect.objectContaining({ name: 'key create', usage: 'key create' }))
    expect((await svc('help key --json')).json.commands).toHaveLength(3)
    expect((await svc('--json key revoke --help')).json).toMatchObject({
      ok: true,
      command: { name: 'key revoke', usage: 'key revoke <id>', options: expect.any(Array) },
    })
  })

  test('with the first word of several commands and --help lists those', async () => {
    for (const line of ['key --help', 'key -h', 'help key']) {
      const { code, stdout } = await svc(line)
      expect(code).toBe(0)
      expect(stdout).toContain('key revoke')
      expect(stdout).not.toContain('cron run')
    }
  })

  test.each([
    'serve',
    'init',
    'migrate',
    'plan',
    'module list',
    'module install',
    'module update',
    'module uninstall',
    'user list',
    'user create',
    'user password',
    'user companies',
    'key list',
    'key create',
    'key revoke',
    'cron list',
    'cron run',
    'cron signature',
  ])('%s --help explains the command', async (command) => {
    const { code, stdout } = await svc(`${command} --help`)
    expect(code).toBe(0)
    expect(stdout).toContain(`Usage: svc ${command}`)
    expect(stdout).toContain('--json')
    expect(await svc(`help ${command}`)).toMatchObject({ code, stdout })
    expect(await svc(`${command} -h`)).toMatchObject({ code, stdout })
  })

  test.each([
    ['nonsense', 'Unknown command: nonsense.'],
    ['module', 'Choose one of: module list, module install, module update, module uninstall.'],
    ['module install', 'Missing argument: <module…>.'],
    ['module uninstall a b', 'Unexpected argument: b.'],
    ['module list --frobnicate', 'Unknown option: --frobnicate.'],
    ['module list -x', 'Unknown option: -x.'],
    ['module install x --demo=yes', '--demo takes no value.'],
    ['serve --port', '--port needs a value.'],
    ['serve --port -1', '--port needs a value; one that begins with a dash is given as --port=-….'],
    ['init', 'Missing options: --company, --login.'],
    ['init --company X', 'Missing option: --login.'],
    ['init --company X --login a --password b --password-file c', 'Give --password or --password-file, not both.'],
    ['init --company X --login a', 'Missing option: --password-file (or --password).'],
    ['serve --port 70000', '--port must be a whole number from 0 to 65535.'],
    ['key revoke 99999999999999999999', 'Not the id of a key: 99999999999999999999.'],
    ['mail retry 99999999999999999999', 'Not the id of a mail: 99999999999999999999.'],
    ['import --login a --undo abc', 'Not the id of an import: abc.'],
    ['key create --login a --name b --expires-days 0', '--expires-days must be a whole number from 1 to 366.'],
    ['key create --login a --name b --scope [', '--scope must be a JSON object.'],
  ])('%j is a wrong line: exit code 2 and the reason', async (line, reason) => {
    const { code, stdout, stderr } = await svc(line)
    expect(code).toBe(2)
    expect(stdout).toBe('')
    expect(stderr).toContain(reason)
    const answer = await svc(`--json ${line}`)
    expect(answer.code).toBe(2)
    expect(answer.json).toMatchObject({ ok: false, error: { code: 'USAGE' } })
  })

  test('a wrong setting stops with one line that names the place', async () => {
    const file = join(folder, 'bad.ini')
    await writeFile(file, 'log_level = info\nhttp_prot = 1\n')
    const { code, stderr } = await svc(`module list --config ${file}`)
    expect(code).toBe(1)
    expect(stderr).toBe(`svc: ${file}:2: http_prot is not a setting. Did you mean http_port?\n`)
    await writeFile(file, 'log_level = loud\nhttp_prot = 1\n')
    expect((await svc(`module list --config ${file}`, { SVC_HTTP_PORT: 'x' })).stderr).toBe(
      [
        `svc: ${file}:2: http_prot is not a setting. Did you mean http_port?`,
        'SVC_HTTP_PORT must be a whole number from 0 to 65535.',
        `${file}:1: log_level must be one of debug, info, warn, error.\n`,
      ].join('\n'),
    )
    const typo = await svc('module list', { SVC_LOG_LEVLE: 'x' })
    expect(typo.code).toBe(0)
    expect(typo.stderr).toContain('SVC_LOG_LEVLE is not a setting')
  })
})

test('--version prints the version', async () => {
  expect(await svc('--version')).toMatchObject({ code: 0, stdout: '0.2.0\n' })
  expect((await svc('--version --json')).json).toEqual({ ok: true, version: '0.2.0' })
})

test('a port in use stops the start before the database, in one line that names the setting', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  const settings = { SVC_DB_DSN: 'postgresql://x:y@127.0.0.1:1/z', SVC_DATA_DIR: folder }
  const { code, stderr } = await runSvc(['serve', '--port', String(port)], settings)
  expect([code, stderr]).toEqual([
    1,
    `svc: Cannot listen on port ${port} of 127.0.0.1: another program uses it. Set http_port to a free one, or stop the other program.\n`,
  ])
  other.close()
})

describe('a new database', () => {
  test('is refused by commands that need one, and set up by init in one go', async () => {
    const empty = await createEmptyDatabase()
    const settings = { SVC_DB_DSN: empty.dsn }
    const early = await svc('user create --login x --password "whatever it is"', settings)
    expect(early).toMatchObject({ code: 1, stderr: 'svc: The database is empty. To set it up, run: svc init\n' })
    const done = await svc(
      'init --company Acme --login admin --name "Ada Lovelace" --email ada@acme.example --password-file - --currency usd --timezone Europe/Berlin --json',
      settings,
      `${PASSWORD}\n`,
    )
    expect(done.json).toMatchObject({ ok: true, login: 'admin', modules: [] })
    const again = await svc('init --company Acme --login admin --json', { ...settings, MODULUS_PASSWORD: PASSWORD })
    expect(again).toMatchObject({ code: 1, json: { ok: false, error: { code: 'CONFLICT' } } })
    const { rows } =
      await sql`select u.login, u.email, u.name, u.tz, c.name as company, m.name as currency from core_user u
      join core_company c on c.id = u.company_id join core_currency m on m.id = c.currency_id`.execute(empty.db)
    const ada = { login: 'admin', email: 'ada@acme.example', name: 'Ada Lovelace', tz: 'Europe/Berlin' }
    expect(rows).toEqual([{ ...ada, company: 'Acme', currency: 'USD' }])
    expect(((await stat(join(folder, 'secret_key'))).mode & 0o777).toString(8)).toBe('600')
    await empty.drop()
  })

  test('gets every app by --modules all, and with --demo links for the example users', async () => {
    const empty = await createEmptyDatabase()
    const settings = { SVC_DB_DSN: empty.dsn, SVC_HTTP_PORT: '8099' }
    const line = `init --company Acme --login admin --password "${PASSWORD}" --modules all --demo`
    const { code, stdout } = await svc(line, settings)
    expect(code).toBe(0)
    expect(stdout).toMatch(/Installed: mail, contacts, product, sale, crm, project\..*begin with http:\S+:8099, /s)
    expect(stdout).toMatch(/^Tomás Ribeiro +tomas@example\.com +Acme +CRM: User: Own Leads, /m)
    const links = [
      ...stdout.matchAll(/^(\S+@example\.com) +http:\/\/127\.0\.0\.1:8099\/web\/reset\?token=[\w-]{43}$/gm),
    ]
    const { rows } = await sql<{ login: string; has_password: boolean }>`
      select u.login, exists (select from sys_credential c where c.user_id = u.id and c.password_hash is not null) as has_password
      from core_user u where u.login <> 'admin' order by u.id`.execute(empty.db)
    expect(rows).toEqual(links.map(([, login]) => ({ login, has_password: false })))
    const { rows: own } = await sql<Record<string, number>>`
      select (select count(*)::int from core_user_company_ids_rel r where r.source_id = u.id) as companies,
        (select count(*)::int from sale_order o where o.user_id = u.id) as orders,
        (select count(*)::int from crm_lead l where l.user_id = u.id) as leads
      from core_user u where u.login = 'admin'`.execute(empty.db)
    expect(own).toEqual([{ companies: 2, orders: expect.any(Number), leads: expect.any(Number) }])
    expect([own[0]!['orders']! > 4, own[0]!['leads']! > 4]).toEqual([true, true])
    expect((await svc('module install sale --demo', settings)).stdout).toBe(
      'Already installed. No example records were loaded: they were before, or there are none.\n',
    )
    await empty.drop()
  })

  test.each([
    ['\n', ['mail', 'contacts', 'product', 'sale', 'crm', 'project']],
    ['none\n', []],
    ['contacts, project\n', ['mail', 'contacts', 'project']],
  ])('asks a terminal for the apps: %j installs %j', async (typed, modules) => {
    const empty = await createEmptyDatabase()
    const line = `init --company Acme --login admin --password "${PASSWORD}" --json`
    const { json } = await svc(line, { SVC_DB_DSN: empty.dsn }, typed, true)
    expect(json).toMatchObject({ ok: true, examples: [] })
    expect(new Set(json.modules)).toEqual(new Set(modules))
    await empty.drop()
  })

  test('is not opened with a damaged secret key', async () => {
    const damaged = await mkdtemp(join(tmpdir(), 'modulus-cli-'))
    for (const text of ['', 'short\n']) {
      await writeFile(join(damaged, 'secret_key'), text)
      const { code, stderr } = await svc('key list', { SVC_DATA_DIR: damaged })
      expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(/secret_key is damaged\. Restore it/) })
    }
    await rm(damaged, { recursive: true })
  })

  test('is set up once when two try at the same time', async () => {
    const empty = await createEmptyDatabase()
    const init = (n: number) =>
      svc(`init --company Acme --login admin${n} --password "${PASSWORD}" --json`, { SVC_DB_DSN: empty.dsn })
    const codes = (await Promise.all([init(1), init(2)])).map(({ code }) => code)
    expect(codes.toSorted()).toEqual([0, 1])
    expect((await sql`select 1 from core_user`.execute(empty.db)).rows).toHaveLength(1)
    await empty.drop()
  })

  test('is brought up to date by migrate, once', async () => {
    const empty = await createEmptyDatabase()
    const first = await svc('migrate --json', { SVC_DB_DSN: empty.dsn })
    expect(first.json).toMatchObject({ ok: true, modules: ['base', 'web'] })
    const second = await svc('migrate', { SVC_DB_DSN: empty.dsn })
    expect(second).toMatchObject({ code: 0, stdout: 'Everything is up to date.\n' })
    await empty.drop()
  })

  test('is not set up with a module, a language, a time zone or a currency that does not exist', async () => {
    const empty = await createEmptyDatabase()
    const init = (options: string) =>
      svc(`init --company Acme --login admin --password "${PASSWORD}" ${options}`, { SVC_DB_DSN: empty.dsn })
    const wrong = await init('--modules nope,base,never --language klingon --timezone Mars/Olympus --currency XXQ')
    expect(wrong.code).toBe(1)
    expect(wrong.stderr).toContain('modules: There is no module nope, never.')
    expect(wrong.stderr).toContain('language: Must be like en or pt-BR, not klingon.')
    expect(wrong.stderr).toContain('timezone: Must be a time zone like Europe/Berlin, not Mars/Olympus.')
    expect(wrong.stderr).toContain('currency: There is no currency XXQ.')
    expect((await sql`select 1 from core_user`.execute(empty.db)).rows).toEqual([])
    await empty.drop()
  })

  test('is not set up at all when the password is too weak', async () => {
    const empty = await createEmptyDatabase()
    const { code, stderr } = await svc('init --company Acme --login admin --password short', { SVC_DB_DSN: empty.dsn })
    expect(code).toBe(1)
    expect(stderr).toContain('password')
    const { rows } = await sql`select 1 from core_user`.execute(empty.db)
    expect(rows).toEqual([])
    await empty.drop()
  })
})

describe('a running installation', () => {
  test('lists modules and shows plans', async () => {
    expect((await svc('module list --json')).json).toMatchObject({
      ok: true,
      modules: expect.arrayContaining([
        expect.objectContaining({ name: 'base', state: 'installed' }),
        expect.objectContaining({ name: 'sale', state: 'uninstalled', depends: ['contacts', 'mail', 'product'] }),
      ]),
    })
    expect((await svc('module list')).stdout).toMatch(/^MODULE +STATE +VERSION +SUMMARY\n/)
    expect(await svc('plan')).toMatchObject({ code: 0, stdout: 'Nothing to do.\n' })
    expect((await svc('plan contacts')).stdout).toMatch(/^LOSS +LOCK +STEP\n/)
    expect((await svc('plan --json')).json).toMatchObject({ ok: true, steps: [], problems: [] })
    expect(await svc('plan nope --json')).toMatchObject({ code: 1, json: { error: { code: 'NOT_FOUND' } } })
  })

  test('installs, updates and refuses modules', async () => {
    expect((await svc('module install base')).stdout).toMatch(/^Installed: web\.\nRestart the services/)
    expect(await svc('module install base')).toMatchObject({ code: 0, stdout: 'Already installed.\n' })
    expect(await svc('module install nope --json')).toMatchObject({
      code: 1,
      json: { error: { message: 'There is no module nope.' } },
    })
    expect((await svc('module update --json')).json).toMatchObject({ ok: true, modules: ['base', 'web'], steps: [] })
    expect(await svc('module uninstall base')).toMatchObject({
      code: 1,
      stderr: 'svc: Module base cannot be uninstalled.\n',
    })
    expect(await svc('module uninstall web')).toMatchObject({
      code: 1,
      stderr: 'svc: Module web cannot be uninstalled.\n',
    })
  })

  test('creates users, passwords and keys, and revokes keys', async () => {
    const created = await svc(
      `user create --login anna --name "Anna B" --groups base.group_system --password "${PASSWORD}" --json`,
    )
    expect(created.json).toMatchObject({ ok: true, login: 'anna' })
    expect(await svc(`user create --login anna --password "${PASSWORD}"`)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Another user already has this login.'),
    })
    expect((await svc('user create --login carl --password short')).stderr).toBe(
      'svc: password: Must have at least 10 characters.\n',
    )
    const twice = await svc(`user create --login anna --password "${PASSWORD}"`)
    expect(twice.stderr.match(/already has this login/g)).toHaveLength(1)
    expect(twice.stderr).not.toMatch(/constraint|duplicate key/)
    expect((await svc('user list')).stdout).toMatch(
      /^ID +LOGIN +NAME +STATE +GROUPS\n(.*\n)*.* anna +Anna B +active +base\.group_system\n/,
    )
    expect(await svc(`user create --login bob --groups nope.x --password "${PASSWORD}"`)).toMatchObject({ code: 1 })
    const [{ password_hash: before }] = (await query('select password_hash from sys_credential')) as [
      { password_hash: string },
    ]
    expect(before).toMatch(/^\$scrypt\$/)
    const renewed = await svc('user password --login anna --password-file -', {}, 'quite another password')
    expect(renewed.code).toBe(0)
    expect(await query('select password_hash from sys_credential')).not.toEqual([{ password_hash: before }])
    expect(await svc('user password --login nobody --password "quite another"')).toMatchObject({ code: 1 })
    const key = (await svc('key create --login anna --name test --expires-days 7 --scope {"read_only":true} --json'))
      .json
    expect(key).toMatchObject({ ok: true, key: expect.stringMatching(/^sk_[0-9A-Za-z]{49}$/) })
    expect(await query('select count(*)::int as n from sys_api_key_secret')).toEqual([{ n: 1 }])
    expect(key.expires_at).toMatch(/^\d{4}-\d\d-\d\dT/)
    expect((await svc('key create --login anna --name other --expires-days 1')).stdout).toContain('in 1 day.')
    await svc(`key revoke ${key.id + 1}`)
    const listed = (await svc('key list')).stdout
    expect(listed).toContain(`anna   test   sk_`)
    expect(listed).toContain(key.expires_at.slice(0, 10))
    expect(listed).toContain('revoked')
    expect(listed).not.toContain(key.key)
    expect(await svc(`key revoke ${key.id}`)).toMatchObject({ code: 0, stdout: `Key ${key.id} is revoked.\n` })
    expect(await svc(`key revoke ${key.id}`)).toMatchObject({ code: 0, stdout: `Key ${key.id} was revoked before.\n` })
    expect((await svc('key create --login anna --name " "')).stderr).toContain('Missing option: --name.')
    const nameless = await svc(`user create --login zoe --name "" --password "${PASSWORD}"`)
    expect(nameless.stderr).toBe('svc: Name is required.\n')
    expect(await query('select count(*)::int as n from sys_api_key_secret')).toEqual([{ n: 0 }])
    expect(await svc('key revoke 999')).toMatchObject({ code: 1, stderr: expect.stringContaining('does not exist') })
  })

  test('says what to do about a module that the database has and the program lacks', async () => {
    await query(
      "insert into sys_module (name, version, state, application) values ('fleet', '1.0', 'installed', false)",
    )
    const lacking = 'The database has the module fleet, which this program lacks. If this process is older'
    for (const line of ['plan', 'migrate', 'module install contacts', 'module uninstall web --preview'])
      expect([line, await svc(line)]).toMatchObject([line, { code: 1, stderr: expect.stringContaining(lacking) }])
    expect((await svc('module list')).stdout).toMatch(/^fleet +missing/m)
    const { code, stdout, stderr } = await svc('key create --login anna --name still')
    expect([code, stdout.includes('sk_'), stderr.includes(lacking)]).toEqual([0, true, true])
    await query("delete from sys_module where name = 'fleet'")
  })

  test('runs the jobs that are due', async () => {
    await query("update sys_cron set nextcall = now() - interval '1 minute'")
    const first = await svc('cron run --json')
    expect(first.code).toBe(0)
    expect(first.json.runs.length).toBeGreaterThan(0)
    expect(await svc('cron run')).toMatchObject({ code: 0, stdout: 'Nothing is due.\n' })
  })
})

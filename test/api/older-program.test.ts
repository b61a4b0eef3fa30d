import { expect, test } from 'vitest'
import { extendModel, field } from '#kernel'
import { bundledAddons } from '../../addons/index.ts'
import { programOf } from '../../kernel/module/declared.ts'
import { updateModules, upgradeModules } from '../../kernel/module/install.ts'
import { probeReadiness } from '../../runtime/readiness.ts'
import library from '../support/addons/library/addon.ts'
import { hire } from '../support/api-database.ts'
import { describeHosts, type Host } from '../support/hosts.ts'
import { openModules } from '../support/modules.ts'
import { confirm, readBatch, stage } from '../support/upload.ts'

const wider = extendModel('library.author', { fields: { code: field.char({ required: true, default: 'x' }) } })

/** Another program on the same database, with other code of the library. */
const other = (host: Host, part: Partial<typeof library>) =>
  openModules(host.database.db, [...bundledAddons, { ...library, ...part }])

const isReady = async (host: Host) => (await host.fetch('/api/ready')).status === 200
const UNNAMED = expect.stringContaining('This process has other code of a module than what is installed.')
const OTHER = expect.stringContaining('This process has other code of the module library than what is installed.')

describeHosts('a process that is older than what is installed', (host) => {
  test('serves its own modules and is not ready, with one line in the log', async () => {
    const admin = await host.signIn('admin')
    expect(await isReady(host)).toBe(true)
    const { services, catalogue } = other(host, { models: [...library.models, wider] })
    await updateModules(services, catalogue, ['library'])
    host.observed.length = 0
    expect(await admin.rpc('library.author', 'search_read', [[], ['name']])).toMatchObject({ ok: true })
    expect(await admin.rpc('library.author', 'create', [{ name: 'Mann' }])).toMatchObject({
      error: { code: 'UNAVAILABLE', message: expect.stringContaining('library_author.code') },
    })
    await expect.poll(() => isReady(host)).toBe(false)
    const told = await (await host.fetch('/api/ready')).text()
    expect(told).toEqual(UNNAMED)
    expect(told).not.toContain('library')
    if (host.kind === 'workerd') return
    expect(host.observed.filter(({ kind }) => kind === 'warning')).toEqual([{ kind: 'warning', text: OTHER }])
  })

  test('names unknown modules only to administrators and in its log', async () => {
    await hire(host.modules, 'clerk', ['base.group_user', 'library.group_librarian'])
    const [admin, clerk] = [await host.signIn('admin'), await host.signIn('clerk')]
    const unknown = 'This process does not know a value that the database requires. It must be restarted.'
    const values = { name: 'Mann' }
    host.observed.length = 0
    expect(await clerk.rpc('library.author', 'create', [values])).toMatchObject({
      error: { code: 'UNAVAILABLE', message: unknown, details: { reason: 'host_lacks' } },
    })
    expect(await admin.rpc('library.author', 'create', [values])).toMatchObject({
      error: { message: expect.stringContaining('library_author.code') },
    })
    const { id } = await stage(clerk, 'name\nMann\n', { model: 'library.author' })
    const { error } = await confirm(clerk, id)
    expect(JSON.stringify([error, await readBatch(clerk, id)])).not.toContain('library_author')
    if (host.kind === 'workerd') return
    const cause = expect.objectContaining({ message: expect.stringContaining('"code" of relation "library_author"') })
    expect(host.observed.find(({ kind }) => kind === 'failure')).toMatchObject({ error: { message: unknown, cause } })
  })

  test('is ready again when its own code is installed, however often modules change', async () => {
    const { services, catalogue } = other(host, {})
    await upgradeModules(services, catalogue)
    await expect.poll(() => isReady(host)).toBe(true)
    const admin = await host.signIn('admin')
    expect(await admin.rpc('library.author', 'create', [{ name: 'Mann' }])).toMatchObject({ ok: true })
    await upgradeModules(services, catalogue)
    expect(await isReady(host)).toBe(true)
  })

  test('stays ready when only texts and defaults differ', async () => {
    const [author, ...rest] = library.models
    const { services, catalogue } = other(host, {
      models: [{ ...author!, label: 'Writer' } as typeof author & {}, ...rest],
    })
    await upgradeModules(services, catalogue)
    expect(await probeReadiness(host.database.db, programOf(host.modules.catalogue))).toMatchObject({ ready: true })
  })

  test('notices declarations that change no table when the program that has them starts', async () => {
    const models = [...library.models, extendModel('library.author', { fields: {}, chatterOnRead: true })]
    const { services, catalogue } = other(host, { models })
    await upgradeModules(services, catalogue)
    await expect.poll(() => isReady(host)).toBe(false)
  })

  test('detects a version newer than its own', async () => {
    const { services, catalogue } = other(host, { version: '1.1' })
    await upgradeModules(services, catalogue)
    expect(await probeReadiness(host.database.db, programOf(host.modules.catalogue))).toMatchObject({ ready: false })
  })
})

import { beforeEach, describe, expect, test } from 'vitest'
import { defineModel, field } from '#kernel'
import base from '../../addons/base/addon.ts'
import { type AddonOptions, defineAddon } from '../../kernel/module/addon.ts'
import { installModules, updateModules, upgradeModules } from '../../kernel/module/install.ts'
import library from '../support/addons/library/addon.ts'
import { baseTemplate } from '../support/base-database.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { openModules } from '../support/modules.ts'

/** What an author of an addon gets wrong is told at install, with what to do, and not when somebody uses it. */

let database: TestDatabase

beforeEach(async () => {
  database = await createDatabase(baseTemplate)
  return () => database.drop()
})

const job = (options: Parameters<typeof field.char>[0] = {}) =>
  defineModel('works.job', { label: 'Job', fields: { name: field.char(options) } })

const ACCESS = {
  name: 'access.csv',
  text: 'id,model,group,read,write,create,unlink\naccess_job,works.job,base.group_user,1,1,1,1\n',
}

const sequence = (id: string, more = '') => ({
  name: `${id}.xml`,
  text: `<data><record id="${id}" model="sys.sequence"><field name="name">Jobs</field><field name="code">works.job</field>${more}</record></data>`,
})

const works = (options: Partial<AddonOptions> = {}) =>
  defineAddon({
    name: 'works',
    version: '1.0',
    summary: 'Jobs',
    depends: ['base'],
    models: [job()],
    data: [ACCESS],
    ...options,
  })

const open = (options: Partial<AddonOptions>) => openModules(database.db, [base, works(options)])

async function install(options: Partial<AddonOptions>) {
  const modules = open(options)
  await installModules(modules.services, modules.catalogue, ['works'])
  return modules
}

describe('a manifest', () => {
  test('with a key that does not exist is refused, with the one that was meant', () => {
    const { models, ...rest } = works()
    const misspelt = Object({ ...rest, modles: models }) as AddonOptions
    expect(() => defineAddon(misspelt)).toThrow(
      'Addon works: there is no modles (did you mean models?), models is missing.',
    )
    expect(() => defineAddon({ ...works(), ...Object({ colour: 1 }) })).toThrow('Addon works: there is no colour.')
  })

  test('that lacks what every addon has is refused with all that is missing', () => {
    expect(() => defineAddon(Object({ name: 'works', version: '1.0', depends: [], models: [] }))).toThrow(
      'Addon works: summary is missing.',
    )
    expect(() => defineAddon(Object({ summary: 'Works.' }))).toThrow(
      'Addon without a name: name is missing, version is missing, depends is missing, models is missing.',
    )
  })
})

describe('a number sequence', () => {
  const numbered = [job({ sequence: 'works.job' })]

  test('that does not exist is refused at install and update, not at the first record', async () => {
    const missing = {
      code: 'CONFLICT',
      message: expect.stringMatching(
        /^works\.job\.name is numbered by the sequence works\.job, which does not exist\./,
      ),
    }
    await expect(install({ models: numbered })).rejects.toMatchObject(missing)
    await install({})
    const { services, catalogue } = open({ models: numbered })
    await expect(updateModules(services, catalogue, ['works'])).rejects.toMatchObject(missing)
    await updateModules(services, open({ models: numbered, data: [ACCESS, sequence('jobs')] }).catalogue, ['works'])
  })

  test('that an administrator has deleted does not keep the service from starting', async () => {
    const { asSystem } = await install({ models: numbered, data: [ACCESS, sequence('jobs')] })
    await asSystem(async (env) => {
      const made = env.model('sys.sequence')
      await made.unlink(await made.search([['code', '=', 'works.job']]))
    })
    const { services, catalogue } = open({ models: numbered, data: [ACCESS, sequence('jobs')], version: '1.1' })
    expect(await upgradeModules(services, catalogue)).toMatchObject({ modules: ['works'] })
  })

  test('is the only active one of its company with its code', async () => {
    const data = [ACCESS, sequence('jobs'), sequence('again')]
    await expect(install({ models: numbered, data })).rejects.toThrow('Another sequence already has this code.')
    const off = sequence('again', '<field name="active" eval="false"/>')
    const { asSystem } = await install({ models: numbered, data: [ACCESS, sequence('jobs'), off] })
    await asSystem(async (env) => {
      const companies = await env.model('core.company').search([])
      const own = { name: 'Own', code: 'works.job', company_id: companies[0]! }
      await env.model('sys.sequence').create(own)
      await expect(env.model('sys.sequence').create(own)).rejects.toMatchObject({ code: 'VALIDATION' })
    })
  })
})

describe('a declaration', () => {
  test('of a setting whose default is none of its values is refused', async () => {
    const setting = {
      type: 'integer' as const,
      name: 'works.days',
      label: 'Days',
      help: 'How long.',
      min: 1,
      max: 100,
      default: 700,
    }
    await expect(install({ settings: [setting] })).rejects.toThrow(
      'setting works.days: the default 700 does not fit. Must lie between 1 and 100.',
    )
  })

  test('of a document for a model that does not exist says just that', async () => {
    const [slip] = library.documents
    await expect(install({ documents: [{ ...slip!, name: 'slip', model: 'works.jbo' }] })).rejects.toMatchObject({
      details: { problems: ['document slip: there is no model works.jbo'] },
    })
  })

  test('of a model that no user may use gives a warning at the install, and only then', async () => {
    const texts = ({ observed }: ReturnType<typeof open>) =>
      observed.flatMap((seen) => (seen.kind === 'warning' ? [seen.text] : []))
    expect(texts(await install({ data: [] }))).toEqual(['Nobody may use works.job: no access line names it.'])
    const all = openModules(database.db, [base, works({ data: [] }), library])
    await installModules(all.services, all.catalogue, ['library'])
    expect(texts(all).filter((text) => text.startsWith('Nobody'))).toEqual([])
  })
})

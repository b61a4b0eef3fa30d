import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { withDatabase } from '../support/database.ts'
import { withClient } from '../support/own-postgres.ts'
import { compareAll } from './compare.ts'
import type { Target } from './load.ts'
import { fill, prepare, signIn, USERS } from './prepare.ts'
import { CLI, freePort, memoryOf, startService, stop } from './service.ts'

/** How many models each of the two installations has. */
const FEW = 50
const MANY = 500
const MODELS_OF_ADDON = 10
/** Words of the calls that are compared. */
const CALLS = ['search_read', 'list workspace', 'read 1', 'create', 'write']

interface Place {
  readonly env: NodeJS.ProcessEnv
  /** May create databases; and the account that owns them. */
  readonly adminDsn: string
  readonly dsn: string
  readonly dataDir: string
  readonly postgresPid: number
}

/**
 * Compares a service with 500 installed models to one with 50, to show that models a call does not use cost it nothing. In the
 * table the service is the one with 500 and the floor the one with 50.
 */
export async function benchInstalled(place: Place): Promise<void> {
  const few = await installation(place, FEW)
  try {
    const many = await installation(place, MANY)
    try {
      console.log(`\n${MANY} installed models as the service, ${FEW} as the floor`)
      await compareAll(many.target, few.target, { postgresPid: place.postgresPid, only: CALLS, hasJsonFloor: false })
      for (const { models, startMs, idleMb, child } of [few, many])
        console.log(
          `${models} models: ready after ${startMs.toFixed(0)} ms, ${idleMb} MB then, ${memoryOf(child.pid!)} MB after the calls`,
        )
    } finally {
      await stop(many.child)
    }
  } finally {
    await stop(few.child)
  }
}

/** A database with so many models and the usual partners, and a service over it. */
async function installation({ env: base, adminDsn, dsn: appDsn, dataDir }: Place, models: number) {
  const home = join(dataDir, `models-${models}`)
  const addons = join(home, 'addons')
  mkdirSync(addons, { recursive: true })
  const dsn = await createDatabase(adminDsn, appDsn, `models_${models}`)
  const port = await freePort()
  const env = { ...base, SVC_DB_DSN: dsn, SVC_DATA_DIR: home, SVC_HTTP_PORT: String(port), SVC_ADDONS_PATH: addons }
  const keys = prepare(env)
  const names = writeAddons(addons, models - (await countModels(dsn)))
  execFileSync(process.execPath, [CLI, 'module', 'install', ...names], { env, stdio: 'ignore' })
  await fill(dsn)
  const sessions = await Promise.all(USERS.map((login) => signIn(dsn, login)))
  const start = performance.now()
  const child = await startService(env)
  const startMs = performance.now() - start
  const target: Target = { port, pid: child.pid!, keys, sessions }
  return { models: await countModels(dsn), target, child, startMs, idleMb: memoryOf(child.pid!) }
}

async function createDatabase(adminDsn: string, appDsn: string, name: string): Promise<string> {
  const owner = decodeURIComponent(new URL(appDsn).username)
  await withClient(adminDsn, (client) =>
    client.query(`create database ${client.escapeIdentifier(name)} owner ${client.escapeIdentifier(owner)}`),
  )
  return withDatabase(appDsn, name)
}

const countModels = (dsn: string): Promise<number> =>
  withClient(dsn, async (client) => {
    const { rows } = await client.query<{ count: number }>('select count(*)::int as count from sys_model')
    return rows[0]!.count
  })

/** Writes addons that together have so many models, and returns their names. */
function writeAddons(folder: string, models: number): readonly string[] {
  const names: string[] = []
  for (let from = 0; from < models; from += MODELS_OF_ADDON) {
    const name = `many${names.length}`
    mkdirSync(join(folder, name))
    writeFileSync(join(folder, name, 'addon.js'), addonText(name, Math.min(MODELS_OF_ADDON, models - from)))
    names.push(name)
  }
  return names
}

/** A typical addon of a business: each model has fields, a link to partners, lists, rights, a view and a menu. */
function addonText(addon: string, models: number): string {
  const numbers = Array.from({ length: models }, (_, index) => index)
  const access = ['id,model,group,read,write,create,unlink']
  for (const n of numbers) access.push(`access_${n},${addon}.thing${n},base.group_user,1,1,1,0`)
  const views = numbers.map(
    (n) => `<view id="list_${n}" name="Things ${n}" model="${addon}.thing${n}" type="list">
      <list><field name="name"/><field name="partner_id"/><field name="state"/><field name="amount" sum="Total"/></list>
    </view>
    <action id="action_${n}" name="Things ${n}" model="${addon}.thing${n}" view_modes="list,form"/>
    <menu id="menu_${n}" name="Things ${n}" parent="menu" action="action_${n}"/>`,
  )
  return `import { defineAddon, defineModel, field } from '#kernel'
const model = (n) => defineModel('${addon}.thing' + n, {
  label: 'Thing ' + n,
  searchFields: ['name'],
  fields: {
    name: field.char({ required: true }),
    partner_id: field.many2one('core.partner', {}),
    state: field.selection({ open: 'Open', done: 'Done' }, { required: true, default: 'open' }),
    amount: field.float({}),
    day: field.date({}),
    note: field.text({}),
  },
})
export default defineAddon({
  name: '${addon}',
  version: '1.0',
  summary: 'Models for a benchmark',
  depends: ['base'],
  models: [${numbers.map((n) => `model(${n})`).join(', ')}],
  data: [
    { name: 'access.csv', text: ${JSON.stringify(access.join('\n'))} },
    { name: 'views.xml', text: ${JSON.stringify(`<data><menu id="menu" name="${addon}"/>${views.join('')}</data>`)} },
  ],
})
`
}

import { beforeEach, describe, expect, test } from 'vitest'
import type { ModuleState } from '../../kernel/module/state.ts'
import { sql } from '../../kernel/sql/sql.ts'
import { apiTemplate } from '../support/api-database.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { DEMO_ADDONS } from '../support/demo-addons.ts'
import { openModules } from '../support/modules.ts'

let database: TestDatabase

beforeEach(async () => {
  database = await createDatabase(apiTemplate)
  return () => database.drop()
})

const query = async (text: string, db = database.db) => (await sql.raw<Record<string, unknown>>(text).execute(db)).rows
const waiting = () =>
  query(`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)

/** Changes everything that a state is loaded from, as one transaction does. */
const CHANGES = [
  `update sys_module set state = 'inactive' where name = 'library'`,
  `insert into core_group (id, name) values (900, 'new')`,
  `insert into sys_access (name, model, group_id, perm_read, perm_write, perm_create, perm_unlink, active)
    values ('new', 'core.country', 900, true, false, false, false, true)`,
  `insert into sys_rule (name, model, domain, perm_read, perm_write, perm_create, perm_unlink, active)
    values ('new', 'core.country', '[["id", "<", 0]]', true, true, true, true, true)`,
  `update sys_menu set name = 'new'`,
  `update sys_action set name = 'new'`,
  `update sys_view set name = 'new'`,
  'update sys_epoch set modules = modules + 1, access = access + 1, views = views + 1',
]

const isNew = ({ name }: { readonly name: string }) => name === 'new'

const partsOf = ({ epoch, active, access }: ModuleState) => ({
  epoch: epoch.modules === 101 && epoch.access === 101,
  modules: !active.has('library'),
  groups: access.impliedGroups.has(900),
  lines: access.lines.get('core.country')!.some(({ groupId }) => groupId === 900),
  rules: access.rules.get('core.country')?.some(isNew) ?? false,
})

const HOLDS = {
  modules: 'lock table sys_module in access exclusive mode',
  groups: 'lock table core_group in access exclusive mode',
  'access lines': 'lock table sys_access in access exclusive mode',
  rules: 'lock table sys_rule in access exclusive mode',
  'rules that are written anew': `alter table sys_rule alter column name type text using name || ''`,
  'views that are written anew': `alter table sys_view alter column name type text using name || ''`,
  menus: 'lock table sys_menu in access exclusive mode',
  actions: 'lock table sys_action in access exclusive mode',
}

/** What `load` gives if everything is changed in one transaction while it waits for the lock that `hold` takes. */
async function loadDuringChange<T>(hold: string, load: () => Promise<T>): Promise<T> {
  const { loading } = await database.db.transaction().execute(async (tx) => {
    await query(hold, tx)
    const loading = load()
    await expect.poll(waiting, { interval: 10 }).not.toEqual([])
    for (const change of CHANGES) await query(change, tx)
    return { loading }
  })
  return loading
}

describe('a state that is loaded while another transaction changes it', () => {
  test.each(['modules', 'groups', 'access lines', 'rules', 'rules that are written anew'] as const)(
    'is one that the database had, whether the load waits for %s or not',
    async (held) => {
      const { holder } = openModules(database.db, DEMO_ADDONS)
      const before = await holder.latest()
      const ofOthers = before.access.rules.size
      expect(Object.values(partsOf(before))).not.toContain(true)
      await query('update sys_epoch set modules = 100, access = 100')
      const parts = partsOf(await loadDuringChange(HOLDS[held], () => holder.latest()))
      expect(new Set(Object.values(parts)).size, JSON.stringify(parts)).toBe(1)
      const after = await holder.latest()
      expect(Object.values(partsOf(after))).not.toContain(false)
      expect(after.access.rules.size).toBe(ofOthers + 1)
    },
  )

  test.each(['views that are written anew', 'menus', 'actions'] as const)(
    'has views, actions and menus of one state, whether their load waits for %s or not',
    async (held) => {
      const { holder } = openModules(database.db, DEMO_ADDONS)
      const { views } = await holder.latest()
      const tables = await loadDuringChange(HOLDS[held], views)
      const rows = [...tables.views.values(), ...tables.actions.values(), ...tables.menus]
      expect(new Set(rows.map(isNew)).size).toBe(1)
    },
  )
})

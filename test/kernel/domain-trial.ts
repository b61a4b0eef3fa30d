import { expect } from 'vitest'
import type { DomainNode } from '../../kernel/domain/ast.ts'
import { parseDomain } from '../../kernel/domain/parse.ts'
import { compileRegistry } from '../../kernel/model/compile-registry.ts'
import { defineModel } from '../../kernel/model/define.ts'
import { field } from '../../kernel/model/field-types.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { askMemory, askSql, openBrowser, type Rows, storeRows, type World } from './domain-engines.ts'

declare module '#kernel' {
  interface Models {
    'trial.firm': Record<never, never>
    'trial.deal': Record<never, never>
    'trial.tag': Record<never, never>
  }
}

const registry = compileRegistry([
  {
    name: 'trial',
    behaviors: [],
    models: [
      defineModel('trial.firm', {
        label: 'Firm',
        fields: {
          name: field.char(),
          note: field.text(),
          size: field.integer(),
          worth: field.float(),
          active: field.boolean(),
          founded: field.date(),
          seen_at: field.datetime(),
          state: field.selection({ new: 'New', old: 'Old' }),
          extra: field.json(),
          parent_id: field.many2one('trial.firm'),
          boss_id: field.many2one('trial.firm'),
          child_ids: field.one2many('trial.firm', 'parent_id'),
          deal_ids: field.one2many('trial.deal', 'firm_id'),
        },
      }),
      defineModel('trial.deal', {
        label: 'Deal',
        displayName: ['name', 'code'],
        fields: {
          name: field.char(),
          code: field.char(),
          price: field.monetary(),
          firm_id: field.many2one('trial.firm'),
          tag_ids: field.many2many('trial.tag'),
          firm_name: field.char({ related: 'firm_id.name' }),
          firm_active: field.boolean({ related: 'firm_id.active' }),
          firm_parent_id: field.many2one('trial.firm', { related: 'firm_id.parent_id' }),
          firm_deal_ids: field.many2many('trial.deal', { related: 'firm_id.deal_ids' }),
        },
      }),
      defineModel('trial.tag', { label: 'Tag', fields: { color: field.integer() } }),
    ],
  },
])

const rows: Rows = {
  'trial.firm': [
    { id: 1, name: 'Müller & Söhne', size: 10, worth: 0.1, active: true, founded: '1999-12-31', state: 'new' },
    { id: 2, name: 'STRASSE', size: -3, active: false, parent_id: 1, seen_at: '2024-03-31T00:30:00.000Z', boss_id: 3 },
    { id: 3, name: '100%_\\', size: 0, active: true, parent_id: 2, seen_at: '2024-03-31T22:00:00.000Z', boss_id: 4 },
    { id: 4, note: 'ﬁne 😀', active: false, seen_at: '2024-10-27T00:30:00.000Z', extra: { a: 1 } },
    { id: 5, name: '\u{1F600}', note: '\uE000', active: true, parent_id: 3, founded: '2024-02-29', state: 'old' },
  ],
  'trial.deal': [
    { id: 1, name: 'Big', code: 'X', price: 12.5, firm_id: 1, tag_ids: [1, 2] },
    { id: 2, name: 'Small', price: 1, firm_id: 1, tag_ids: [2] },
    { id: 3, code: 'Y', firm_id: 4, tag_ids: [] },
    { id: 4, price: 12.5, tag_ids: [3] },
  ],
  'trial.tag': [{ id: 1, color: 1 }, { id: 2, color: 2 }, { id: 3 }],
}

type Domain = readonly unknown[]

export interface AskOptions {
  readonly tz?: string
  readonly now?: string
  readonly rules?: Readonly<Record<string, Domain>>
}

/** The records above in every engine at once. */
export interface Trial {
  readonly database: TestDatabase
  /** Ids from all engines, after checking that they agree and that the complement is exact. */
  ask(model: string, domain: Domain, options?: AskOptions): Promise<readonly number[]>
}

export async function openTrial(): Promise<Trial> {
  const database = await createDatabase()
  await storeRows(database.db, { registry, rows })
  const askBrowser = await openBrowser()
  return {
    database,
    async ask(model, domain, options = {}) {
      const world = worldOf(options)
      const [answer] = await askSql(database.db, world, [{ model, domain }])
      const { ids, others } = answer!
      expect(askMemory(world, { model, domain })).toEqual(ids)
      expect(askBrowser(world, { model, domain })).toEqual(ids)
      expect(others).toEqual(rows[model]!.map((row) => row['id'] as number).filter((id) => !ids.includes(id)))
      return ids
    },
  }
}

function worldOf({ now = '2024-03-31T10:00:00Z', tz = 'UTC', rules = {} }: AskOptions): World {
  const context = { registry, now: new Date(now), tz }
  const rule = (name: string): DomainNode | null =>
    rules[name] === undefined ? null : parseDomain(rules[name], registry.model(name)!, context)
  return { registry, rows, context, rule }
}

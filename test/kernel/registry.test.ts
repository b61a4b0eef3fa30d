import { describe, expect, test } from 'vitest'
import { type BehaviorDef, defineMixin, defineModel, field, type ModelDef } from '#kernel'
import { compileRegistry, RegistryError } from '../../kernel/model/compile-registry.ts'
import type { ExtensionDef, FieldDefs, ModelOptions } from '../../kernel/model/define.ts'

const user = defineModel('core.user', { label: 'User', fields: { name: field.char() } })

/** Declarations the type checker would refuse come here as plain values. */
const house = (fields: FieldDefs, options: Partial<ModelOptions> = {}): ModelDef => ({
  kind: 'model',
  name: 'town.house',
  label: 'House',
  fields,
  ...options,
})
const widen = (name: string, options: Partial<ExtensionDef> = {}): ExtensionDef => ({
  kind: 'extension',
  name,
  fields: {},
  ...options,
})
const computes = (model: string, fields: Readonly<Record<string, readonly string[]>>): BehaviorDef => ({
  kind: 'behavior',
  model,
  options: {
    computes: Object.fromEntries(
      Object.entries(fields).map(([name, needs]) => [name, { needs, run: () => new Map<number, never>() }]),
    ),
  },
})

function problemsOf(models: readonly (ModelDef | ExtensionDef)[], ...behaviors: readonly BehaviorDef[]): unknown {
  try {
    compileRegistry([{ name: 'town', models: [user, ...models], behaviors }])
    return []
  } catch (error) {
    if (!(error instanceof RegistryError)) throw error
    return error.problems
  }
}

const name = field.char()
const stored = field.char({ compute: 'stored' })
const onRead = field.char({ compute: 'read' })
const unknown = { type: 'many2one', options: { target: 'no.model' } } as const

describe('a declaration is refused with', () => {
  test.each<[string, readonly (ModelDef | ExtensionDef)[], readonly BehaviorDef[]]>([
    ['town: model town.house is declared twice', [house({}), house({})], []],
    ['town: Town is not a model name', [{ ...house({}), name: 'Town' }, widen('core.user')], []],
    ['town: town.house.Name is not a field name', [house({ Name: name })], []],
    ['town: town.house.id is declared twice', [house({ id: field.integer() })], []],
    ['town: town.house.name is declared twice', [house({ name }, { mixins: [defineMixin('x', { name })] })], []],
    ['town: widens unknown model town.barn', [widen('town.barn')], []],
    ['town: town.house says ordr (did you mean order?)', [house({}, Object({ ordr: 'id' }))], []],
    ['town: core.user says order', [widen('core.user', Object({ order: 'id' }))], []],
    [
      'town: town.house.name says requierd (did you mean required?)',
      [house({ name: field.char(Object({ requierd: true })) })],
      [],
    ],
    [
      'town: behaviour for town.house says check (did you mean checks?)',
      [house({})],
      [{ ...computes('town.house', {}), options: Object({ check: [] }) }],
    ],
    [
      'town: core.user.name is not a selection to widen',
      [widen('core.user', { selections: { name: { a: 'A' } } })],
      [],
    ],
    ['town: behaviour for unknown model town.barn', [], [computes('town.barn', {})]],
    ['town.house: computes unknown field size', [house({ name })], [computes('town.house', { size: [] })]],
    [
      "town.house.name is computed but its declaration does not say how (compute: 'stored' | 'read')",
      [house({ name })],
      [computes('town.house', { name: [] })],
    ],
    [
      'town.house.name is computed by two behaviours',
      [house({ name: stored })],
      [computes('town.house', { name: [] }), computes('town.house', { name: [] })],
    ],
    ['town: town.house.size says compute but no behaviour computes it', [house({ size: stored })], []],
    ['town: town.house.owner_id points at unknown model no.model', [house({ owner_id: unknown })], []],
    [
      'town: town.house.user_ids needs core.user.name to be a many2one back',
      [house({ user_ids: field.one2many('core.user', 'name') })],
      [],
    ],
    ['town: town.house orders, searches or is named by size, which is not stored', [house({}, { order: 'size' })], []],
    [
      'town: town.house is named by name, which not everybody may read',
      [house({ name: field.char({ groups: 'base.group_system' }) })],
      [],
    ],
    [
      'town: town.house.size shows owner_id.name, which is another kind of field',
      [house({ owner_id: field.many2one('core.user'), size: field.integer({ related: 'owner_id.name' }) })],
      [],
    ],
    [
      'town: town.house.name shows user_ids.name, but user_ids is no many2one',
      [house({ user_ids: field.many2many('core.user'), name: field.char({ related: 'user_ids.name' }) })],
      [],
    ],
    [
      'town.house: needs owner.name, but town.house has no field owner',
      [house({ size: stored })],
      [computes('town.house', { size: ['owner.name'] })],
    ],
    [
      'town.house: needs size.name, but a plain value has no field name',
      [house({ size: stored, text: stored })],
      [computes('town.house', { size: [], text: ['size.name'] })],
    ],
    [
      'town.house: needs owner_id.name, but nothing can tell which records reach over owner_id, which is computed on read',
      [house({ owner_id: field.many2one('core.user', { compute: 'read' }), size: stored })],
      [computes('town.house', { owner_id: [], size: ['owner_id.name'] })],
    ],
    [
      'town.house.user_ids: a one2many lives in its lines and cannot be stored as a computed value',
      [
        house({ user_ids: field.one2many('core.user', 'house_id', { compute: 'stored' }) }),
        widen('core.user', { fields: { house_id: { type: 'many2one', options: { target: 'town.house' } } } }),
      ],
      [computes('town.house', { user_ids: [] })],
    ],
    [
      'computed fields need each other: town.house.a → town.house.b → town.house.a',
      [house({ a: stored, b: onRead })],
      [computes('town.house', { a: ['b'], b: ['a'] })],
    ],
  ])('%s', (problem, models, behaviors) => {
    expect(problemsOf(models, ...behaviors)).toContain(problem)
  })
})

test('all mistakes are reported at once', () => {
  expect(problemsOf([house({ Name: name, owner_id: unknown, size: stored })])).toHaveLength(3)
})

test('a model has the constraints of its mixins beside its own', () => {
  const high = { check: 'floors > 0', fields: ['floors'], message: 'A house has a floor.' }
  const named = { unique: ['name'], message: 'This name is taken.' }
  const mixin = defineMixin('town.building', { floors: field.integer() }, { high })
  const models = [house({ name }, { mixins: [mixin], constraints: { named } })]
  const registry = compileRegistry([{ name: 'town', models: [user, ...models], behaviors: [] }])
  expect(registry.model('town.house')!.constraints).toEqual(
    new Map<string, unknown>([
      ['high', high],
      ['named', named],
    ]),
  )
})

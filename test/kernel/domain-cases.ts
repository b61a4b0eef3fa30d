import fc, { type Arbitrary } from 'fast-check'
import { parseDomain } from '../../kernel/domain/parse.ts'
import { compileRegistry } from '../../kernel/model/compile-registry.ts'
import type { FieldDefs, ModelDef } from '../../kernel/model/define.ts'
import { field } from '../../kernel/model/field-types.ts'
import type { AnyFieldDef, Field } from '../../kernel/model/fields/field.ts'
import type { Model, Registry } from '../../kernel/model/registry.ts'
import { domainOf, type WireDomain } from './domain-arbitrary.ts'
import type { Question, Rows, World } from './domain-engines.ts'
import { day, decimal, instant, text, whole, ZONES } from './domain-values.ts'

/** Some models with records, rules and questions about them: one run of the property. */
export interface Case {
  readonly models: readonly ModelDef[]
  readonly rows: Rows
  readonly rules: Readonly<Record<string, WireDomain | null>>
  readonly tz: string
  readonly now: string
  readonly questions: readonly Question[]
}

export const compileModels = (models: readonly ModelDef[]): Registry =>
  compileRegistry([{ name: 'trial', models, behaviors: [] }])

export function worldOf({ models, rows, rules, tz, now }: Case): World {
  const registry = compileModels(models)
  const context = { registry, tz, now: new Date(now) }
  const rule = (name: string) => {
    const domain = rules[name] ?? null
    return domain === null ? null : parseDomain(domain, registry.model(name)!, context)
  }
  return { registry, rows, context, rule }
}

const NAMES = ['trial.a', 'trial.b', 'trial.c', 'trial.d']

const SCALARS: FieldDefs = {
  name: field.char(),
  code: field.char(),
  note: field.text(),
  state: field.selection({ a: 'A', b: 'B', B: 'BB' }),
  qty: field.integer(),
  amount: field.float(),
  price: field.float({ digits: [10, 2] }),
  flag: field.boolean(),
  active: field.boolean(),
  day: field.date(),
  at: field.datetime(),
  extra: field.json(),
}

/** Built by hand, because the targets are known only at run time. */
const many2one = (target: string): AnyFieldDef => ({ type: 'many2one', options: { target } })
const one2many = (target: string, inverse: string): AnyFieldDef => ({ type: 'one2many', options: { target, inverse } })
const many2many = (target: string): AnyFieldDef => ({ type: 'many2many', options: { target } })
const related = (definition: AnyFieldDef, path: string): AnyFieldDef => ({
  type: definition.type,
  options: { ...definition.options, related: path },
})

interface Link {
  readonly from: string
  readonly to: string
  readonly kind: 'many2one' | 'many2many'
  readonly hasInverse: boolean
}

const models: Arbitrary<readonly ModelDef[]> = fc
  .integer({ min: 2, max: NAMES.length })
  .map((count) => NAMES.slice(0, count))
  .chain((names) =>
    fc
      .tuple(
        fc.tuple(...names.map((name) => scalarsOf(name))),
        fc.array(linkBetween(names), { minLength: 1, maxLength: 6 }),
      )
      .map(([definitions, links]) => definitions.map((definition) => withLinks(definition, definitions, links))),
  )

function scalarsOf(name: string): Arbitrary<ModelDef> {
  const names = fc.subarray(Object.keys(SCALARS), { minLength: 1 })
  return fc
    .record({ names, isTree: fc.boolean(), isLongNamed: fc.boolean() })
    .map(({ names: chosen, isTree, isLongNamed }) => {
      const plain = Object.fromEntries(chosen.map((key) => [key, SCALARS[key]!]))
      const tree = isTree ? { parent_id: many2one(name), child_ids: one2many(name, 'parent_id') } : {}
      const displayName = ['name', 'code'].filter((key) => isLongNamed && key in plain)
      const named = displayName.length > 0 ? { displayName } : {}
      return { kind: 'model', name, label: name, fields: { ...plain, ...tree }, ...named }
    })
}

const linkBetween = (names: readonly string[]): Arbitrary<Link> =>
  fc.record({
    from: fc.constantFrom(...names),
    to: fc.constantFrom(...names),
    kind: fc.constantFrom('many2one' as const, 'many2many' as const),
    hasInverse: fc.boolean(),
  })

/** The model with its side of every link, and for a many2one a field that shows something of its target. */
function withLinks(definition: ModelDef, all: readonly ModelDef[], links: readonly Link[]): ModelDef {
  const fields: Record<string, AnyFieldDef> = { ...definition.fields }
  links.forEach(({ from, to, kind, hasInverse }, index) => {
    const own = `${kind === 'many2one' ? 'one' : 'many'}_${index}`
    if (from === definition.name) {
      fields[own] = kind === 'many2one' ? many2one(to) : many2many(to)
      const shown = Object.entries(all.find((model) => model.name === to)!.fields)[index]
      if (kind === 'many2one' && shown !== undefined && shown[1].type !== 'one2many') {
        fields[`shown_${index}`] = related(shown[1], `${own}.${shown[0]}`)
      }
    }
    if (to === definition.name && hasInverse && kind === 'many2one') fields[`back_${index}`] = one2many(from, own)
  })
  return { ...definition, fields }
}

const MAX_ROWS = 8

/** Links are drawn as numbers and kept where the target has such a record. */
function rowsOf(registry: Registry): Arbitrary<Rows> {
  const perModel = [...registry.models.values()].map((model) =>
    fc.array(rowOf(model), { maxLength: MAX_ROWS, size: 'max' }).map((rows) => [model.name, rows] as const),
  )
  return fc.tuple(...perModel).map((drawn) => {
    const counts = new Map(drawn.map(([name, rows]) => [name, rows.length]))
    return Object.fromEntries(
      drawn.map(([name, rows]) => [
        name,
        rows.map((row, index) => settle(registry.model(name)!, row, index + 1, counts)),
      ]),
    )
  })
}

const hasValues = ({ column, relation, system, related: path }: Field) =>
  path === null && !system && (column !== null || relation?.kind === 'many2many')

function rowOf(model: Model): Arbitrary<Readonly<Record<string, unknown>>> {
  const fields = [...model.fields.values()].filter(hasValues)
  return fc.record(
    Object.fromEntries(fields.map((each) => [each.name, VALUES[each.type.name]?.() ?? fc.constant(null)])),
  )
}

const orNull = <T>(arbitrary: Arbitrary<T>) => fc.option(arbitrary, { freq: 4 })
const link = fc.integer({ min: 1, max: MAX_ROWS })

const VALUES: Readonly<Record<string, () => Arbitrary<unknown>>> = {
  char: () => orNull(text),
  text: () => orNull(text),
  selection: () => orNull(fc.constantFrom('a', 'b', 'B')),
  integer: () => orNull(whole),
  float: () => orNull(decimal),
  boolean: () => fc.boolean(),
  date: () => orNull(day),
  datetime: () => orNull(instant),
  json: () => orNull(fc.constantFrom(0, false, '', [], { a: null })),
  many2one: () => orNull(link),
  many2many: () => fc.uniqueArray(link, { maxLength: 3 }),
}

function settle(model: Model, row: Readonly<Record<string, unknown>>, id: number, counts: ReadonlyMap<string, number>) {
  const entries = Object.entries(row).map(([name, value]) => {
    const { relation, digits } = model.fields.get(name)!
    if (digits !== null && typeof value === 'number') return [name, Number((value % 1e7).toFixed(digits[1]))]
    if (relation === null || value === null) return [name, value]
    const exists = (target: unknown) => Number(target) <= (counts.get(relation.target) ?? 0)
    if (Array.isArray(value)) return [name, value.filter(exists)]
    return [name, exists(value) ? value : null]
  })
  return { id, ...Object.fromEntries(entries) }
}

export const cases = (questions: number): Arbitrary<Case> =>
  models.chain((definitions) => {
    const registry = compileModels(definitions)
    const names = definitions.map((definition) => definition.name)
    const question = fc.oneof(
      ...names.map((model) => domainOf(registry, model, 2).map((domain) => ({ model, domain }))),
    )
    return fc.record({
      models: fc.constant(definitions),
      rows: rowsOf(registry),
      rules: fc.record(
        Object.fromEntries(names.map((name) => [name, fc.option(domainOf(registry, name, 1), { freq: 2 })])),
      ),
      tz: fc.constantFrom(...ZONES),
      now: instant.filter((moment) => moment > '1970' && moment < '2100'),
      questions: fc.array(question, { minLength: 1, maxLength: questions, size: 'max' }),
    })
  })

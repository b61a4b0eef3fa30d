import type { Field, FieldTypeName } from '../../kernel/model/fields/field.ts'
import type { Model } from '../../kernel/model/registry.ts'
import { hasDefault } from '../../kernel/orm/statement/defaults.ts'

/** A number below a limit that looks random, but is always the same for a record and field. */
type Draw = (below: number) => number

/** The inputs from which the value of a field is made. */
interface Sample {
  readonly field: Field
  /** Number of the record, counted over the whole model. */
  readonly n: number
  readonly draw: Draw
  /** Ids that a many2one may point at. */
  readonly targets: readonly number[]
  /** Place of the field among those with a value. */
  readonly at: number
  /** Whether each record must have different days. */
  readonly isSpread: boolean
}

const FIRST = [
  'Amber',
  'Birch',
  'Cedar',
  'Delta',
  'Ember',
  'Fjord',
  'Grove',
  'Harbour',
  'Indigo',
  'Juniper',
  'Kestrel',
  'Linden',
]
const SECOND = [
  'Bakery',
  'Carpets',
  'Dairy',
  'Engines',
  'Foods',
  'Glass',
  'Hotels',
  'Ironworks',
  'Joinery',
  'Labs',
  'Mills',
  'Optics',
]
const CITIES = [
  'Aarhus',
  'Bilbao',
  'Cork',
  'Dresden',
  'Évora',
  'Ghent',
  'Graz',
  'Kraków',
  'Lyon',
  'Malmö',
  'Porto',
  'Utrecht',
]

const pick = <T>(list: readonly T[], draw: Draw): T => list[draw(list.length)]!

/** Texts of a certain form, by the name of their field. Other texts are words and the number of the record. */
const TEXTS: Readonly<Record<string, (sample: Sample) => string>> = {
  email: ({ n }) => `contact${n}@example.com`,
  phone: ({ n }) => `+49 30 ${n}`,
  mobile: ({ n }) => `+49 170 ${n}`,
  street: ({ draw }) => `${pick(FIRST, draw)} Street ${1 + draw(200)}`,
  city: ({ draw }) => pick(CITIES, draw),
  zip: ({ draw }) => String(10_000 + draw(90_000)),
  ref: ({ n }) => `P${n}`,
}

const words = ({ n, draw }: Sample) => `${pick(FIRST, draw)} ${pick(SECOND, draw)} ${n}`

const DAY = 86_400_000

/** An instant in the year from tomorrow on, each date field of a record later than the one before, so that checks of their order accept them. */
const instant = ({ n, at, isSpread }: Sample) => {
  const day = Math.floor(Date.now() / DAY) + 1 + (isSpread ? n : drawFor(n, 0)(365)) + at
  return new Date(day * DAY + drawFor(n, at)(96) * 900_000).toISOString()
}

/** Values by the type of their field. A type that is not here is left out. */
const VALUES: Partial<Record<FieldTypeName, (sample: Sample) => unknown>> = {
  char: (sample) => (TEXTS[sample.field.name] ?? words)(sample).slice(-(sample.field.size ?? 200)),
  text: words,
  integer: ({ draw }) => 1 + draw(50),
  float: ({ draw }) => 1 + draw(50),
  monetary: ({ draw }) => 100 + draw(100_000),
  date: (sample) => instant(sample).slice(0, 10),
  datetime: instant,
  selection: ({ field, draw }) => pick([...field.selection!.keys()], draw),
  many2one: ({ targets, draw }) => (targets.length === 0 ? null : pick(targets, draw)),
}

/** Whether a field should get a value. Left out unless required: texts, which may need a certain form, and the parent in a tree. */
const isUseful = ({ displayFields }: Model, { name, required, type, relation, model }: Field): boolean =>
  required ||
  (type.name === 'many2one'
    ? relation?.target !== model
    : type.name !== 'text' && (type.name !== 'char' || displayFields.includes(name) || name in TEXTS))

/** Whether a unique constraint includes the field, so that records must have different days. */
export const isDistinct = ({ constraints }: Model, { name, type }: Field): boolean =>
  type.comparison === 'date' && [...constraints.values()].some((rule) => 'unique' in rule && rule.unique.includes(name))

/**
 * The fields of a made-up record that get values: those that a person would fill in, first the company, on which the others depend.
 * Fields with a default keep it, unless their values must differ.
 */
export const sampledFields = (model: Model): readonly Field[] =>
  [...model.fields.values()]
    .toSorted((a, b) => Number(b.name === COMPANY) - Number(a.name === COMPANY))
    .filter(
      (field) =>
        field.column !== null &&
        !field.system &&
        !field.readonly &&
        !field.secret &&
        field.compute === null &&
        field.related === null &&
        field.translationOf === null &&
        field.sequence === null &&
        (!hasDefault(field) || isDistinct(model, field)) &&
        field.type.name in VALUES &&
        isUseful(model, field),
    )

const COMPANY = 'company_id'

/** The values of the `n`th record of a model. `targetsOf` gives the ids to which a many2one may link in a record of a company. */
export function sampleRecord(
  fields: readonly Field[],
  n: number,
  targetsOf: (field: Field, company: number | undefined) => readonly number[],
  isSpread = false,
): Readonly<Record<string, unknown>> {
  const values: Record<string, unknown> = {}
  for (const [at, field] of fields.entries()) {
    const targets = targetsOf(field, field.name === COMPANY ? undefined : (values[COMPANY] as number | undefined))
    const sample = { field, n, draw: drawFor(n, at), targets, at, isSpread }
    const value = VALUES[field.type.name]!(sample)
    if (value !== null) values[field.name] = value
  }
  return values
}

/** The generator mulberry32, seeded with the record and the place of the field. */
function drawFor(n: number, at: number): Draw {
  let state = Math.imul(n, 0x9e3779b1) ^ Math.imul(at + 1, 0x85ebca6b)
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * below)
  }
}

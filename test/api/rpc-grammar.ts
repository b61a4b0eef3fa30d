import { DECLARED, type DeclaredField } from '../support/declared-fields.ts'
import { below, listOf, pick, type Random, randomOf } from '../support/seeded-random.ts'
import { HOSTILE_NAMES, mutate, toText } from './rpc-mutation.ts'

export interface RpcBody {
  readonly model: string
  readonly method: string
  readonly args: readonly unknown[]
  readonly kwargs?: Readonly<Record<string, unknown>>
}

const MODELS = [...DECLARED.keys()]
/** What a fuzzing administrator may change without sawing off the branch it sits on. */
const CHANGEABLE = MODELS.filter(
  (model) => model.startsWith('library.') || ['core.partner', 'core.tag', 'sys.filter'].includes(model),
)

export const READING = ['search', 'search_read', 'read', 'read_group', 'onchange'] as const
export const CHANGING = ['create', 'write', 'unlink', 'create_many', 'write_many', 'unlink_many', 'call'] as const
type Method = (typeof READING)[number] | (typeof CHANGING)[number]

const OPERATORS = [
  ...['=', '!=', '<', '<=', '>', '>=', 'in', 'not in', 'like', 'not like', 'ilike', 'not ilike', '=like', '=ilike'],
  ...['=?', 'child_of', 'parent_of', 'any', 'not any'],
]
const ACTIONS = [
  'action_make_available',
  'action_mark_lost',
  'action_lend',
  'action_return',
  'action_revoke',
  'action_run_now',
]
const ZONES = ['UTC', 'Europe/Berlin', 'Asia/Kathmandu', 'America/St_Johns', 'Pacific/Apia']
const DAYS = ['2026-01-31', '2024-02-29', '1815-12-23', '0001-01-01', '9999-12-31', 'today', '-7d', '+1m']
const WORDS = ['Emma', 'lem', 'Partner', 'a', '%', 'ß', 'Ł', 'x_y', '日本', '😀', 'draft', 'open', 'zqx']

/** Makes calls that mostly mean something; every choice is a number of `random`. */
class Speaker {
  readonly #random: Random

  constructor(random: Random) {
    this.#random = random
  }

  readonly chance = (share: number) => this.#random() < share
  readonly pick = <T>(items: readonly T[]): T => pick(this.#random, items)
  readonly some = <T>(most: number, make: () => T): T[] => listOf(this.#random, most, make)
  readonly id = () => (this.chance(0.8) ? 1 + below(this.#random, 20) : this.pick([0, 999_999, 2_147_483_647]))

  field(model: string): DeclaredField {
    return this.pick([...DECLARED.get(model)!.values()])
  }

  name(model: string): string {
    return this.chance(0.97) ? this.field(model).name : this.pick(HOSTILE_NAMES)
  }

  path(model: string): { text: string; field: DeclaredField } {
    const field = this.field(model)
    if (field.target === null || this.chance(0.5)) return { text: field.name, field }
    const rest = this.path(field.target)
    return { text: `${field.name}.${rest.text}`, field: rest.field }
  }

  /** A value of the field's kind. */
  value({ type, target }: DeclaredField): unknown {
    if (this.chance(0.1)) return null
    switch (type) {
      case 'integer':
      case 'float':
      case 'monetary':
        return this.pick([0, 1, -1, 7, 12.5, 2_147_483_647, 1e14, 0.1 + 0.2])
      case 'boolean':
        return this.chance(0.5)
      case 'date':
        return this.pick(DAYS)
      case 'datetime':
        return this.pick(['2026-01-31T12:00:00Z', '2026-10-25T02:30:00+02:00', '0001-01-01T00:00:00Z', ...DAYS])
      case 'many2one':
        return this.chance(0.8) ? this.id() : [this.id(), this.pick(WORDS)]
      case 'one2many':
      case 'many2many':
        return this.chance(0.5) ? this.some(3, this.id) : this.some(3, () => this.command(target!))
      case 'json':
        return { [this.pick(WORDS)]: this.some(2, this.id) }
      case 'reference':
        return `core.partner,${1 + this.id()}`
      case 'binary':
      case 'image':
        return this.pick(['AAEC', 'iVBORw0KGgo=', '/9j/', ''])
      default:
        return this.pick(WORDS)
    }
  }

  command(target: string): unknown {
    const kind = below(this.#random, 7)
    if (kind === 0) return [0, this.pick(WORDS), this.values(target, 3)]
    if (kind === 1) return [1, this.id(), this.values(target, 2)]
    if (kind === 6) return [6, 0, this.some(3, this.id)]
    return kind === 5 ? [5] : [kind, this.id()]
  }

  values(model: string, most: number): Record<string, unknown> {
    const fields = this.some(most, () => this.field(model))
    return Object.fromEntries(
      fields.map((field) => [this.chance(0.97) ? field.name : this.pick(HOSTILE_NAMES), this.value(field)]),
    )
  }

  condition(model: string, depth: number): unknown {
    const { text, field } = this.path(model)
    const operator = this.pick(OPERATORS)
    if (operator.endsWith('any'))
      return [text, operator, field.target === null ? [] : this.domain(field.target, depth + 1)]
    const part =
      field.type.startsWith('date') && this.chance(0.3) ? this.pick(['.year', '.month', '.weekday', '.hour']) : ''
    const value = () =>
      part === '' ? this.value({ ...field, type: field.target === null ? field.type : 'many2one' }) : this.id()
    const isList = operator.endsWith('in') || (operator.endsWith('_of') && this.chance(0.5))
    return [`${text}${part}`, operator, isList ? this.some(4, value) : value()]
  }

  domain(model: string, depth = 0): unknown[] {
    const conditions = this.some(depth > 3 ? 1 : 3, () => this.condition(model, depth))
    return conditions.flatMap((condition, i) => [
      ...(i < conditions.length - 1 && this.chance(0.4) ? [this.pick(['|', '&'])] : []),
      ...(this.chance(0.2) ? ['!'] : []),
      condition,
    ])
  }

  order(model: string): string {
    return this.some(3, () => `${this.name(model)}${this.pick(['', ' desc', ' asc', ' DESC'])}`).join(
      this.pick([',', ', ']),
    )
  }

  page(model: string): Record<string, unknown> {
    return {
      limit: below(this.#random, 6),
      ...(this.chance(0.3) && { offset: below(this.#random, 5) }),
      ...(this.chance(0.5) && { order: this.order(model) }),
      ...(this.chance(0.3) && { archived: this.pick(['include', 'exclude', 'only']) }),
      ...(this.chance(0.1) && { cursor: this.cursor(model) }),
      ...(this.chance(0.2) && { tz: this.pick(ZONES), lang: this.pick(['en', 'de-DE', 'pt_BR']) }),
    }
  }

  /** One of the right shape, by luck of the right order. */
  cursor(model: string): string {
    const values = this.some(3, () =>
      this.pick([null, '1', 'x', '2026-01-31', 'true', '\0', '99999999999999999999', 'zqx']),
    )
    const order = this.chance(0.5) ? `${model} id false` : `${model} name false,id false`
    return Buffer.from(JSON.stringify([order, ...values])).toString('base64url')
  }

  group(model: string): Record<string, unknown> {
    const item = () => {
      const { text, field } = this.path(model)
      return field.type.startsWith('date') || this.chance(0.05)
        ? `${text}:${this.pick(['hour', 'day', 'week', 'month', 'quarter', 'year'])}`
        : text
    }
    const measure = () => ({
      name: this.pick(['n', 'total', 'zqx', 'a1']),
      field: this.path(model).text,
      measure: this.pick(['sum', 'count', 'avg', 'min', 'max', 'count_distinct']),
    })
    return { domain: this.domain(model), groupby: this.some(2, item), fields: this.some(2, measure) }
  }

  groupKwargs(): Record<string, unknown> {
    return {
      limit: below(this.#random, 6),
      ...(this.chance(0.3) && { having: [[this.pick(['n', 'total', '__count']), this.pick(OPERATORS), this.id()]] }),
      ...(this.chance(0.3) && { order: this.pick(['n', 'total desc', '__count', 'id', 'name desc']) }),
      ...(this.chance(0.3) && { week_start: this.id(), tz: this.pick(ZONES) }),
    }
  }

  /** Arguments of a method, and its keyword arguments. */
  arguments(method: Method, model: string): readonly [readonly unknown[], Record<string, unknown>?] {
    const ids = this.some(3, this.id)
    switch (method) {
      case 'search':
        return [this.chance(0.8) ? [this.domain(model)] : [], this.page(model)]
      case 'search_read':
        return [[this.domain(model), this.some(4, () => this.name(model))], this.page(model)]
      case 'read':
        return [this.chance(0.5) ? [ids] : [ids, this.some(4, () => this.name(model))]]
      case 'read_group':
        return [[this.group(model)], this.groupKwargs()]
      case 'onchange':
        return [
          [this.values(model, 4), this.some(2, () => this.name(model))],
          this.chance(0.5) ? { id: this.id() } : {},
        ]
      case 'create':
        return [[this.values(model, 6)]]
      case 'create_many':
        return [[this.some(3, () => this.values(model, 6))]]
      case 'write':
      case 'write_many':
        return [
          [ids, this.values(model, 4)],
          this.chance(0.2) ? { base_version: Object.fromEntries(ids.map((id) => [id, 1])) } : {},
        ]
      case 'unlink':
      case 'unlink_many':
        return [[ids]]
      case 'call':
        return [[this.id(), this.pick(ACTIONS), { active_ids: ids.join(), borrower_id: String(this.id()) }]]
    }
  }

  body(methods: readonly Method[]): RpcBody {
    const method = this.pick(methods)
    const isReading = (READING as readonly string[]).includes(method)
    const model = this.pick(isReading ? MODELS : CHANGEABLE)
    const [args, kwargs] = this.arguments(method, model)
    return { model, method, args, ...(kwargs && { kwargs }) }
  }
}

/** The text of one request body; the same for the same seed. A quarter of them is left as it is. */
export function fuzzedBody(seed: number, methods: readonly Method[]): string {
  const random = randomOf(seed)
  const speaker = new Speaker(random)
  let tree: unknown = speaker.body(methods)
  if (speaker.chance(0.05)) tree = { params: tree }
  const mutations = speaker.chance(0.25) ? 0 : 1 + below(random, 3)
  for (let i = 0; i < mutations; i++) tree = mutate(random, tree)
  const text = toText(tree)
  return speaker.chance(0.02) ? damage(random, text) : text
}

/** Text that is most likely no JSON any more. */
function damage(random: Random, text: string): string {
  const at = below(random, text.length)
  return `${text.slice(0, at)}${pick(random, ['', '\0', '"', '\\', '}', '\u2028', '/**/', 'zqx'])}${text.slice(at + below(random, 3))}`
}

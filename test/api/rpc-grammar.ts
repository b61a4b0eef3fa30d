import { DECLARED, type DeclaredField } from '../support/declared-fields.ts'
import { PIXEL } from '../support/pixel.ts'
import { below, listOf, pick, type Random, randomOf } from '../support/seeded-random.ts'
import { HOSTILE_NAMES, mutate, toText } from './rpc-mutation.ts'

export interface RpcBody {
  readonly model: string
  readonly method: string
  readonly args: readonly unknown[]
  readonly kwargs?: Readonly<Record<string, unknown>>
}

/** A search that was answered, and the cursor of its next page. */
export interface AnsweredPage {
  readonly body: RpcBody
  readonly cursor: string
}

const MODELS = [...DECLARED.keys()]
/** Models with records that many callers may read. */
const COMMON = MODELS.filter((model) => /^(library|core)\./.test(model) && model !== 'core.group')
/** Models that a fuzzing administrator may change without losing its own access. */
const CHANGEABLE = [...COMMON.filter((model) => model.startsWith('library.')), 'core.partner', 'core.tag', 'sys.filter']

export const READING = ['search', 'search_read', 'read', 'read_group', 'onchange'] as const
export const CHANGING = [
  'create',
  'write',
  'write',
  'unlink',
  'create_many',
  'write_many',
  'unlink_many',
  'call',
] as const
type Method = (typeof READING)[number] | (typeof CHANGING)[number]

const EQUALITIES = ['=', '!=', 'in', 'not in', '=?']
const INEQUALITIES = [...EQUALITIES, '<', '<=', '>', '>=']
const PATTERNS = ['like', 'not like', 'ilike', 'not ilike', '=like', '=ilike']
const RELATIONAL = [...EQUALITIES, ...PATTERNS, 'any', 'not any', 'child_of', 'parent_of']

/** Operators that make sense for a type; for other types, the equality operators. */
const OPERATORS: Readonly<Record<string, readonly string[]>> = {
  ...{
    char: [...INEQUALITIES, ...PATTERNS],
    text: PATTERNS,
    html: PATTERNS,
    selection: [...INEQUALITIES, ...PATTERNS],
  },
  ...{ integer: INEQUALITIES, float: INEQUALITIES, monetary: INEQUALITIES, date: INEQUALITIES, datetime: INEQUALITIES },
  ...{ many2one: RELATIONAL, one2many: RELATIONAL, many2many: RELATIONAL },
}

/** Without these a record of the model cannot be made. */
const NEEDED: Readonly<Record<string, readonly string[]>> = {
  'library.author': ['name'],
  'library.shelf': ['name'],
  'library.book': ['title', 'author_id'],
  'library.loan': ['borrower_id'],
  'library.loan.line': ['loan_id', 'book_id'],
  'library.review': ['book_id'],
  'core.partner': ['name'],
  'core.tag': ['name'],
  'sys.filter': ['name'],
}

const ACTIONS: Readonly<Record<string, readonly string[]>> = {
  'library.book': ['action_make_available', 'action_mark_lost', 'action_lend'],
  'library.loan': ['action_return'],
}

const UNSORTABLE = new Set(['one2many', 'many2many', 'json', 'binary', 'image', 'html'])
const isPlain = ({ type, name, unsearchable, shows }: DeclaredField) =>
  !UNSORTABLE.has(type) && !unsearchable && shows === null && name !== 'display_name' && name !== 'is_long'

/** What can be asked of a type over many records. */
const MEASURES: Readonly<Record<string, readonly string[]>> = {
  ...{
    integer: ['sum', 'avg', 'min', 'max'],
    float: ['sum', 'avg'],
    monetary: ['sum', 'max'],
    date: ['min'],
    datetime: ['max'],
  },
}

const OPAQUE = new Set(['json', 'binary', 'image'])
const ZONES = ['UTC', 'Europe/Berlin', 'Asia/Kathmandu', 'America/St_Johns', 'Pacific/Apia']
const DAYS = ['2026-01-31', '2024-02-29', '1815-12-23', '0001-01-01', '9999-12-31']
const WORDS = ['Emma', 'lem', 'Partner', 'a', '%', 'ß', 'Ł', 'x_y', '日本', '😀', 'draft', 'open', 'lost', 'zqx']

/** Makes calls that are mostly meaningful; every choice is a number of `random`. */
class CallMaker {
  readonly #random: Random

  constructor(random: Random) {
    this.#random = random
  }

  readonly chance = (share: number) => this.#random() < share
  readonly pick = <T>(items: readonly T[]): T => pick(this.#random, items)
  readonly some = <T>(most: number, make: () => T): T[] => listOf(this.#random, most, make)
  readonly id = () => (this.chance(0.92) ? 1 + below(this.#random, 12) : this.pick([0, 999_999, 2_147_483_647]))

  field(model: string): DeclaredField {
    return this.pick([...DECLARED.get(model)!.values()])
  }

  name(model: string): string {
    return this.chance(0.97) ? this.field(model).name : this.pick(HOSTILE_NAMES)
  }

  /** One that records can mostly be sorted, grouped and measured by. */
  plainField(model: string): DeclaredField {
    return this.chance(0.95) ? this.pick([...DECLARED.get(model)!.values()].filter(isPlain)) : this.field(model)
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
        return this.chance(0.7) ? 1 + below(this.#random, 9) : this.pick([0, -1, 12.5, 2_147_483_647, 1e14, 0.1 + 0.2])
      case 'boolean':
        return this.chance(0.5)
      case 'date':
        return this.pick(DAYS)
      case 'datetime':
        return this.pick(['2026-01-31T12:00:00Z', '2026-10-25T02:30:00+02:00', '0001-01-01T00:00:00Z'])
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
        return this.pick(['AAEC', PIXEL.png, '/9j/', ''])
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
    const open = [...DECLARED.get(model)!.values()].filter((field) => !field.fixed)
    // Of a model that is only read every field is fixed.
    const fields = this.some(most, () => (open.length > 0 && this.chance(0.98) ? this.pick(open) : this.field(model)))
    return Object.fromEntries(
      fields.map((field) => [this.chance(0.97) ? field.name : this.pick(HOSTILE_NAMES), this.value(field)]),
    )
  }

  /** Values that make a record of the model, with a good chance. */
  newValues(model: string): Record<string, unknown> {
    const needed = (NEEDED[model] ?? []).map((name) => DECLARED.get(model)!.get(name)!)
    const given = Object.fromEntries(needed.map((field) => [field.name, this.value(field)]))
    return { ...this.values(model, 4), ...given, ...(model === 'sys.filter' && { model: 'core.partner' }) }
  }

  operator(type: string): string {
    return this.pick(this.chance(0.96) ? (OPERATORS[type] ?? EQUALITIES) : RELATIONAL)
  }

  condition(model: string, depth: number): unknown {
    const { text, field } = this.path(model)
    const operator = this.operator(field.type)
    if (operator.endsWith('any'))
      return [text, operator, field.target === null ? [] : this.domain(field.target, depth + 1)]
    const part =
      field.type.startsWith('date') && this.chance(0.3) ? this.pick(['.year', '.month', '.weekday', '.hour']) : ''
    const value = () => {
      if (part !== '') return this.id()
      if (PATTERNS.includes(operator)) return this.pick(WORDS)
      if (field.target !== null) return this.chance(0.8) ? this.id() : this.pick(WORDS)
      return OPAQUE.has(field.type) ? null : this.value(field)
    }
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
    return this.some(3, () => `${this.plainField(model).name}${this.pick(['', ' desc', ' asc', ' DESC'])}`).join(
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

  /** One that a caller made up: refused, whatever it holds. */
  cursor(model: string): string {
    const values = this.some(3, () =>
      this.pick([null, '1', 'x', '2026-01-31', 'true', '\0', '99999999999999999999', 'zqx']),
    )
    const order = this.chance(0.5) ? `${model} id false` : `${model} name false,id false`
    return Buffer.from(JSON.stringify([order, ...values])).toString('base64url')
  }

  group(model: string): Record<string, unknown> {
    const item = () => {
      const own = this.plainField(model)
      const { text, field } = this.chance(0.7) ? { text: own.name, field: own } : this.path(model)
      return field.type.startsWith('date') || this.chance(0.05)
        ? `${text}:${this.pick(['hour', 'day', 'week', 'month', 'quarter', 'year'])}`
        : text
    }
    const measure = (name: string) => {
      const field = this.plainField(model)
      return {
        name,
        field: field.name,
        measure: this.pick([...(MEASURES[field.type] ?? []), 'count', 'count_distinct']),
      }
    }
    const fields = this.some(1, () => ['n', 'zqx'])
      .flat()
      .map(measure)
    const groupby = this.some(2, item)
    const sets = this.chance(0.3) && { sets: [[], groupby.slice(0, 1), groupby] }
    return { domain: this.domain(model), groupby, fields, ...sets }
  }

  groupKwargs(): Record<string, unknown> {
    return {
      limit: below(this.#random, 6),
      ...(this.chance(0.3) && {
        having: [[this.pick(['n', '__count', '__count', '__count']), this.pick(INEQUALITIES), this.id()]],
      }),
      ...(this.chance(0.3) && { order: this.pick(['__count', '__count desc', 'n', 'id']) }),
      ...(this.chance(0.3) && { week_start: 1 + below(this.#random, 8), tz: this.pick(ZONES) }),
    }
  }

  /** The next page of a search that was answered: mostly as it should be asked for, else by another order or a changed cursor. */
  nextPage({ body, cursor }: AnsweredPage): RpcBody {
    const kwargs = { ...body.kwargs, cursor: this.chance(0.8) ? cursor : this.tampered(cursor) }
    return { ...body, kwargs: this.chance(0.8) ? kwargs : { ...kwargs, order: this.order(body.model) } }
  }

  tampered(cursor: string): string {
    const at = below(this.#random, cursor.length)
    return `${cursor.slice(0, at)}${this.pick(['A', '_', '', 'zqx'])}${cursor.slice(at + 1)}`
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
        return [[this.newValues(model)]]
      case 'create_many':
        return [[this.some(3, () => this.newValues(model))]]
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
        return [
          [
            this.id(),
            this.pick(ACTIONS[model] ?? ['action_return']),
            { active_ids: ids.join(), borrower_id: String(this.id()) },
          ],
        ]
    }
  }

  body(methods: readonly Method[]): RpcBody {
    const method = this.pick(methods)
    const isReading = (READING as readonly string[]).includes(method)
    const models = isReading
      ? this.chance(0.85)
        ? COMMON
        : MODELS
      : method === 'call'
        ? Object.keys(ACTIONS)
        : CHANGEABLE
    const model = this.pick(models)
    const [args, kwargs] = this.arguments(method, model)
    return { model, method, args, ...(kwargs && { kwargs }) }
  }
}

/** The text of one request body; the same for the same seed and pages. A third of them is left as it is. */
export function fuzzedBody(seed: number, methods: readonly Method[], pages: readonly AnsweredPage[] = []): string {
  const random = randomOf(seed)
  const maker = new CallMaker(random)
  const goesOn = pages.length > 0 && maker.chance(0.08)
  let tree: unknown = goesOn ? maker.nextPage(maker.pick(pages)) : maker.body(methods)
  if (maker.chance(0.05)) tree = { params: tree }
  const mutations = maker.chance(0.35) ? 0 : 1 + below(random, 2)
  for (let i = 0; i < mutations; i++) tree = mutate(random, tree)
  const text = toText(tree)
  return maker.chance(0.02) ? damage(random, text) : text
}

/** Text that is most likely no JSON any more. */
function damage(random: Random, text: string): string {
  const at = below(random, text.length)
  return `${text.slice(0, at)}${pick(random, ['', '\0', '"', '\\', '}', '\u2028', '/**/', 'zqx'])}${text.slice(at + below(random, 3))}`
}

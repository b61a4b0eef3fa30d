import base from '../../addons/base/addon.ts'
import library from './addons/library/addon.ts'
import libraryExtra from './addons/library_extra/addon.ts'
import { groupsOf, mayUse, type Person } from './declared-access.ts'

/** Fields as the addons declare them, read without the registry. */
export interface DeclaredField {
  readonly model: string
  readonly name: string
  readonly type: string
  readonly groups: readonly string[]
  /** Groups that read it on every record; others on their own only. */
  readonly privateTo: readonly string[]
  readonly secret: boolean
  /** Refused as a value from any caller: maintained by the kernel, declared read-only, or computed without inverse. */
  readonly fixed: boolean
  readonly target: string | null
  /** Path whose value it shows, and whether it keeps a copy of that. */
  readonly shows: readonly string[] | null
  readonly isCopy: boolean
  /** Has no column and no search of its own. */
  readonly unsearchable: boolean
}

interface Options {
  readonly groups?: string | readonly string[]
  readonly privateTo?: string | readonly string[]
  readonly secret?: boolean
  readonly readonly?: boolean
  readonly compute?: 'stored' | 'read'
  readonly related?: string
  readonly target?: string
  readonly translate?: boolean
}

interface Definition {
  readonly type: string
  readonly options: Options
}

/** The fields that the kernel adds to every model. */
const SYSTEM: Readonly<Record<string, Definition>> = {
  id: { type: 'integer', options: {} },
  display_name: { type: 'char', options: {} },
  create_uid: { type: 'many2one', options: { target: 'core.user' } },
  create_date: { type: 'datetime', options: {} },
  write_uid: { type: 'many2one', options: { target: 'core.user' } },
  write_date: { type: 'datetime', options: {} },
  version: { type: 'integer', options: {} },
}

const ADDONS = [base, library, libraryExtra]
const RELATIONAL = new Set(['many2one', 'one2many', 'many2many'])

const computesOf = (model: string) =>
  ADDONS.flatMap((addon) => addon.behaviors)
    .filter((behavior) => behavior.model === model)
    .flatMap((behavior) => Object.entries<{ inverse?: unknown; search?: unknown }>(behavior.options.computes ?? {}))

function declare(model: string, name: string, { type, options }: Definition, isSystem: boolean): DeclaredField {
  const compute = computesOf(model).find(([field]) => field === name)?.[1]
  const isComputed = options.compute !== undefined || options.related !== undefined
  return {
    model,
    name,
    type,
    groups: [options.groups ?? []].flat(),
    privateTo: [options.privateTo ?? []].flat(),
    secret: options.secret ?? false,
    fixed: isSystem || (options.readonly ?? (isComputed && compute?.inverse === undefined)),
    target: RELATIONAL.has(type) ? options.target! : null,
    shows: options.related?.split('.') ?? null,
    isCopy: options.compute === 'stored',
    unsearchable: options.compute === 'read' && compute?.search === undefined,
  }
}

/** Model → field name → field. */
export const DECLARED: ReadonlyMap<string, ReadonlyMap<string, DeclaredField>> = collect()

function collect(): Map<string, Map<string, DeclaredField>> {
  const models = new Map<string, Map<string, DeclaredField>>()
  for (const { name, fields, mixins = [] } of ADDONS.flatMap((addon) => addon.models)) {
    const known =
      models.get(name) ?? new Map(Object.keys(SYSTEM).map((own) => [own, declare(name, own, SYSTEM[own]!, true)]))
    models.set(name, known)
    for (const source of [...mixins.map((mixin) => mixin.fields), fields]) {
      for (const [field, definition] of Object.entries<Definition>(source)) {
        known.set(field, declare(name, field, definition, false))
        if (definition.options.translate) known.set(`${field}@de`, declare(name, `${field}@de`, definition, false))
      }
    }
  }
  return models
}

export const fieldOf = (model: string, name: string): DeclaredField => DECLARED.get(model)!.get(name)!

/** Whether the field is hidden from the person by its groups or those of a field it shows; a private one is visible on the own record only. */
export function isHidden(person: Person, { groups, privateTo, secret, model, shows }: DeclaredField): boolean {
  const isIn = (wanted: readonly string[]) => wanted.length === 0 || wanted.some((group) => groupsOf(person).has(group))
  if (secret || !isIn(groups) || !isIn(privateTo)) return true
  return shows !== null && fieldsAlong(model, shows).some((field) => isHidden(person, field))
}

const fieldsAlong = (model: string, [name = '', ...rest]: readonly string[]): DeclaredField[] => {
  const field = fieldOf(model, name)
  return rest.length === 0 ? [field] : [field, ...fieldsAlong(field.target!, rest)]
}

/** Whether the person may follow a path and use the field at its end in a query. */
export function mayFollow(person: Person, model: string, [name = '', ...rest]: readonly string[]): boolean {
  const field = fieldOf(model, name)
  if (!mayUse(person, model, 'read') || isHidden(person, field)) return false
  if (field.shows !== null && !field.isCopy && !mayFollow(person, model, field.shows)) return false
  const isLink = field.type === 'one2many' || field.type === 'many2many'
  if (rest.length === 0) return !isLink || mayUse(person, field.target!, 'read')
  return mayFollow(person, field.target!, rest)
}

/** Every path of up to `steps` fields that begins at a model. */
export function* pathsFrom(model: string, steps: number): Generator<readonly string[]> {
  for (const field of DECLARED.get(model)!.values()) {
    yield [field.name]
    if (steps === 1 || field.target === null) continue
    for (const rest of pathsFrom(field.target, steps - 1)) yield [field.name, ...rest]
  }
}

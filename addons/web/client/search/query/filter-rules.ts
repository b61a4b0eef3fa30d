import type { WireDomain, WireField } from '../../../../../kernel/view/wire.ts'
import { anyDomain } from '../../../../../kernel/workspace/join-domains.ts'
import { formatDate, formatFloat } from '../../core/format.ts'
import { msg, t } from '../../core/i18n.ts'

/** One condition of a custom filter. */
export interface Rule {
  /** Relations from the model to the field that is compared, and that field last. */
  readonly path: readonly WireField[]
  readonly operator: string
  readonly value: RuleValue
}

export type RuleValue = string | number | { readonly id: number; readonly name: string } | null

/** The kind of value an operator needs. */
export type ValueKind = 'none' | 'text' | 'number' | 'date' | 'choice' | 'record'

export interface Operator {
  readonly name: string
  readonly label: string
  readonly kind: ValueKind
  /** Start of a period that ends now, in the date syntax of domains. */
  readonly since?: string
}

const SET: readonly Operator[] = [
  { name: 'set', label: msg('is set'), kind: 'none' },
  { name: 'unset', label: msg('is not set'), kind: 'none' },
]
const CONTAINS: readonly Operator[] = [
  { name: 'ilike', label: msg('contains'), kind: 'text' },
  { name: 'not ilike', label: msg('does not contain'), kind: 'text' },
]
const equality = (kind: ValueKind): readonly Operator[] => [
  { name: '=', label: msg('is'), kind },
  { name: '!=', label: msg('is not'), kind },
]
const order = (kind: ValueKind, less: string, greater: string): readonly Operator[] => [
  { name: '<', label: less, kind },
  { name: '>', label: greater, kind },
]
const TEXT = [...CONTAINS, ...equality('text'), ...SET]
const NUMBER = [...equality('number'), ...order('number', msg('is less than'), msg('is more than')), ...SET]
const DATE: readonly Operator[] = [
  { name: '=', label: msg('is on'), kind: 'date' },
  ...order('date', msg('is before'), msg('is after')),
  { name: 'week', label: msg('is in the last 7 days'), kind: 'none', since: '-7d' },
  { name: 'month', label: msg('is in the last 30 days'), kind: 'none', since: '-30d' },
  ...SET,
]
const LINK = [...equality('record'), ...CONTAINS, ...SET]
const LINKS = [...CONTAINS, ...SET]

const OPERATORS: Readonly<Record<string, readonly Operator[]>> = {
  integer: NUMBER,
  float: NUMBER,
  monetary: NUMBER,
  date: DATE,
  datetime: DATE,
  boolean: [
    { name: 'yes', label: msg('is yes'), kind: 'none' },
    { name: 'no', label: msg('is no'), kind: 'none' },
  ],
  selection: [...equality('choice'), ...SET],
  many2one: LINK,
  one2many: LINKS,
  many2many: LINKS,
}

export const operatorsOf = ({ type }: WireField): readonly Operator[] => OPERATORS[type] ?? TEXT

export const isLink = ({ relation }: WireField): boolean => relation !== undefined

/** Whether the condition has all the values it needs. */
export function isComplete({ path, operator, value }: Rule): boolean {
  const kind = kindOf(path.at(-1), operator)
  return kind === 'none' || (kind !== undefined && value !== null && value !== '')
}

export const kindOf = (field: WireField | undefined, operator: string): ValueKind | undefined =>
  field && operatorsOf(field).find(({ name }) => name === operator)?.kind

function ruleDomain({ path, operator, value }: Rule): WireDomain {
  const name = path.map((field) => field.name).join('.')
  const plain = typeof value === 'object' && value !== null ? value.id : value
  switch (operator) {
    case 'set':
      return [[name, '!=', null]]
    case 'unset':
      return [[name, '=', null]]
    case 'yes':
      return [[name, '=', true]]
    case 'no':
      return [[name, '=', false]]
  }
  const { since } = operatorsOf(path.at(-1)!).find((each) => each.name === operator) ?? {}
  if (since !== undefined)
    return [
      [name, '>=', since],
      [name, '<=', 'now'],
    ]
  return [[name, operator, plain]]
}

export const rulesDomain = (rules: readonly Rule[], isAny: boolean): WireDomain => {
  const domains = rules.map(ruleDomain)
  return isAny ? anyDomain(domains) : domains.flat()
}

/** The filter in words, used as the label of its facet. */
export const describeRules = (rules: readonly Rule[], isAny: boolean): string =>
  rules.map(describe).join(isAny ? ` ${t('or')} ` : `, `)

function describe({ path, operator, value }: Rule): string {
  const field = path.at(-1)
  const label = path.map((each) => each.label).join(' › ')
  const verb = field && operatorsOf(field).find(({ name }) => name === operator)?.label
  return [label, verb === undefined ? '' : t(verb), valueLabel(field, value)].filter((part) => part !== '').join(' ')
}

function valueLabel(field: WireField | undefined, value: RuleValue): string {
  if (value === null) return ''
  if (typeof value === 'object') return value.name
  if (typeof value === 'number') return formatFloat(value)
  const chosen = field?.selection?.find(([key]) => key === value)
  if (chosen) return chosen[1]
  return field?.type === 'date' || field?.type === 'datetime' ? formatDate(value, 'medium') : value
}

import type { Fact } from '../document/content.ts'
import type { AnyNode, Comparison, DomainNode, Inequality, PatternOperator, Span } from '../domain/ast.ts'
import type { Env } from '../env.ts'
import type { Translate } from '../i18n/translate.ts'
import type { Field } from '../model/fields/field.ts'
import { labelIn } from '../model/fields/translation.ts'
import { displayNames } from '../orm/record/project.ts'
import { modelOf } from '../orm/statement/scope.ts'
import type { ValueWriter } from './value-text.ts'

/** Values of a condition that are named; a report is read by people. */
const MAX_VALUES = 10

interface Words {
  readonly env: Env
  readonly writer: ValueWriter
}

/** A domain in words: for each of its conditions the label of the field and the values. */
export async function domainFacts(env: Env, writer: ValueWriter, node: DomainNode): Promise<readonly Fact[]> {
  const facts: Fact[] = []
  const told = new Set<string>()
  for (const item of node.kind === 'and' ? node.items : [node]) {
    const [label, value] = await factOf({ env, writer }, item)
    // A filter may repeat a condition of its list.
    if (told.has(JSON.stringify([label, value]))) continue
    told.add(JSON.stringify([label, value]))
    const at = facts.findIndex(([known]) => known === label)
    // Two conditions on a field, such as the bounds of a period, are one fact.
    if (at >= 0 && label !== '') facts[at] = [label, `${facts[at]![1]}, ${value}`]
    else if (value !== '') facts.push([label, value])
  }
  return facts
}

async function factOf(words: Words, node: DomainNode): Promise<Fact> {
  const { t } = words.env
  switch (node.kind) {
    case 'constant':
      return ['', node.value ? '' : t('no records')]
    case 'compare':
      return [labelOf(words, node), await comparisonText(words, node)]
    case 'any':
      return linkFact(words, node)
    case 'not': {
      const [label, value] = await factOf(words, node.item)
      return [label, t('not {value}', { value })]
    }
    case 'rewritten':
      return factOf(words, node.item)
    case 'hierarchy': {
      const [label, value] = await factOf(words, node.start)
      return [
        label,
        node.direction === 'child_of' ? t('{value} and below', { value }) : t('{value} and above', { value }),
      ]
    }
    case 'and':
    case 'or':
      return groupFact(words, node.kind, node.items)
  }
}

const labelOf = ({ env: { t } }: Words, { field }: { readonly field: Field }): string => labelIn(t, field)

/** A condition on a linked record. One on its id or name is one on the link. */
async function linkFact(words: Words, { field, where }: AnyNode): Promise<Fact> {
  const label = labelOf(words, { field })
  if (where.kind === 'constant') return [label, where.value ? words.env.t('set') : words.env.t('not set')]
  const [inner, value] = await factOf(words, where)
  const isItself = where.kind === 'compare' && ['id', 'display_name', 'name'].includes(where.field.name)
  return [isItself || inner === '' ? label : `${label} / ${inner}`, value]
}

/** Conditions on one field are a list of its values; others are named one by one. */
async function groupFact(words: Words, kind: 'and' | 'or', items: readonly DomainNode[]): Promise<Fact> {
  const { t } = words.env
  const facts: Fact[] = []
  for (const item of items) facts.push(await factOf(words, item))
  const [first] = facts
  const isOneField = facts.every(([label]) => label === first![0])
  const texts = isOneField ? facts.map(([, value]) => value) : facts.map(([label, value]) => `${label}: ${value}`)
  const joined = texts.reduce((left, right) =>
    kind === 'or' ? t('{left} or {right}', { left, right }) : t('{left} and {right}', { left, right }),
  )
  return [isOneField ? first![0] : t('Filter'), joined]
}

async function comparisonText(words: Words, node: Comparison): Promise<string> {
  const { t } = words.env
  if (node.operator === 'within')
    return node.value
      .map((span) => spanText(words, span))
      .reduce((left, right) => t('{left} or {right}', { left, right }))
  if (node.operator === 'in' || node.operator === '=') {
    const values = node.operator === 'in' ? node.value : [node.value]
    const texts = await valueTexts(words, node, values.slice(0, MAX_VALUES))
    if (values.length > MAX_VALUES) texts.push(t('{count} more', { count: values.length - MAX_VALUES }))
    return texts.length === 0 ? t('none') : texts.reduce((left, right) => t('{left} or {right}', { left, right }))
  }
  const [value = ''] = await valueTexts(words, node, [node.value])
  return OPERATORS[node.operator](t, value)
}

type InWords = (t: Translate, value: string) => string

const contains: InWords = (t, value) => t('contains “{value}”', { value })
const isLike: InWords = (t, value) => t('like “{value}”', { value })

const OPERATORS: Readonly<Record<Inequality | PatternOperator, InWords>> = {
  '<': (t, value) => t('less than {value}', { value }),
  '<=': (t, value) => t('up to {value}', { value }),
  '>': (t, value) => t('more than {value}', { value }),
  '>=': (t, value) => t('from {value}', { value }),
  like: contains,
  ilike: contains,
  '=like': isLike,
  '=ilike': isLike,
}

function spanText({ env: { t }, writer }: Words, { from, to }: Span): string {
  const start = writer.moment(from)
  return to === null ? t('from {value}', { value: start }) : `${start} – ${writer.moment(to)}`
}

/** The values of a condition; all records among them are named with one statement. */
async function valueTexts(
  { env, writer }: Words,
  { field, part, model }: Comparison,
  values: readonly unknown[],
): Promise<string[]> {
  const target = part === null ? (field.name === 'id' ? model : field.relation?.target) : undefined
  const ids = target === undefined ? [] : values.filter((value) => typeof value === 'number')
  const names = ids.length === 0 ? new Map<number, string>() : await displayNames(env, modelOf(env, target!), ids)
  return values.map((value) => {
    if (value === null) return env.t('not set')
    if (part !== null) return String(value)
    if (field.type.name === 'datetime') return writer.moment(String(value))
    if (target === undefined || typeof value !== 'number') return writer.text(field, value)
    return names.get(value) ?? `#${value}`
  })
}

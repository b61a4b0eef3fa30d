import { XML_LIMITS } from '../../data/xml-document.ts'
import { isConditionAttribute } from '../arch/condition-attributes.ts'
import { withoutOperand } from './edit-condition.ts'
import { type EditNode, isText } from './edit-tree.ts'

/**
 * `<attribute name="x">text</attribute>` sets an attribute, without text removes it; `add` and `remove` change a list, whose
 * `separator` is a comma, in a class a blank. A condition is joined instead: `(old) or (new)`, or with separator `and`.
 * Returns the problems of the spec.
 */
export function editAttributes(target: EditNode, spec: EditNode): string[] {
  const problems: string[] = []
  for (const child of spec.children) {
    if (isText(child) && child.trim() === '') continue
    if (isText(child) || child.tag !== 'attribute' || !child.attrs.get('name')) {
      problems.push('position="attributes" takes <attribute name="…"> only.')
      continue
    }
    const problem = editAttribute(target, child, child.attrs.get('name')!)
    if (problem !== null) problems.push(problem)
    else if (child.source !== undefined) target.attrSources.set(child.attrs.get('name')!, child.source)
  }
  if (target.attrs.size > XML_LIMITS.attributes) {
    problems.push(`An element has at most ${XML_LIMITS.attributes} attributes.`)
  }
  return problems
}

const KNOWN: ReadonlySet<string> = new Set(['name', 'add', 'remove', 'separator'])

function editAttribute(target: EditNode, change: EditNode, name: string): string | null {
  // Without this a typo in `add` would leave no value, which removes the attribute.
  for (const attribute of change.attrs.keys()) {
    if (!KNOWN.has(attribute)) return `<attribute> has no attribute "${attribute}".`
  }
  const add = change.attrs.get('add')
  const remove = change.attrs.get('remove')
  if (change.children.some((child) => !isText(child))) return `The value of attribute ${name} is text.`
  const text = change.children.join('')
  if (add === undefined && remove === undefined) {
    if (change.attrs.has('separator')) return `A separator needs add or remove (attribute ${name}).`
    set(target, name, text)
    return null
  }
  if (text.trim() !== '') return `Attribute ${name} takes either text or add and remove.`
  const old = target.attrs.get(name) ?? ''
  if (isConditionAttribute(name)) {
    const separator = change.attrs.get('separator')?.trim() ?? 'or'
    if (separator !== 'and' && separator !== 'or') return `The separator of condition ${name} is "and" or "or".`
    set(target, name, joinCondition(withoutOperand(old, remove ?? ''), add, separator))
    return null
  }
  const separator = change.attrs.get('separator') ?? (name === 'class' ? ' ' : ',')
  const removed = new Set(split(remove ?? '', separator))
  const kept = split(old, separator).filter((item) => !removed.has(item))
  const added = split(add ?? '', separator).filter((item) => !kept.includes(item))
  set(target, name, [...kept, ...added].join(separator))
  return null
}

function set(target: EditNode, name: string, value: string): void {
  if (value === '') target.attrs.delete(name)
  else target.attrs.set(name, value)
}

const split = (text: string, separator: string): string[] =>
  (separator.trim() === '' ? text.split(/\s+/) : text.split(separator))
    .map((item) => item.trim())
    .filter((item) => item !== '')

const joinCondition = (old: string, add: string | undefined, separator: string): string => {
  if (add === undefined || add.trim() === '') return old
  return old === '' ? add.trim() : `(${old}) ${separator} (${add.trim()})`
}

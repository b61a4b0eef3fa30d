import { XML_LIMITS } from '../../data/xml-document.ts'
import { isConditionAttribute } from '../arch/condition-attributes.ts'
import { type EditNode, isText } from './edit-tree.ts'

/**
 * `<attribute name="x">text</attribute>` sets an attribute, without text removes it; `add` and `remove` change a list, whose
 * `separator` is a comma, in a class a blank. A condition is joined instead: `(old) or (new)`, or with separator `and`.
 * Returns what is wrong with the spec.
 */
export function editAttributes(target: EditNode, spec: EditNode): string[] {
  const problems: string[] = []
  for (const child of spec.children) {
    if (isText(child) || child.tag !== 'attribute' || !child.attrs.get('name')) {
      problems.push('position="attributes" takes <attribute name="…"> only.')
      continue
    }
    const problem = editAttribute(target, child, child.attrs.get('name')!)
    if (problem !== null) problems.push(problem)
  }
  if (target.attrs.size > XML_LIMITS.attributes) {
    problems.push(`An element has at most ${XML_LIMITS.attributes} attributes.`)
  }
  return problems
}

function editAttribute(target: EditNode, change: EditNode, name: string): string | null {
  const add = change.attrs.get('add')
  const remove = change.attrs.get('remove')
  if (change.children.some((child) => !isText(child))) return `The value of attribute ${name} is text.`
  const text = change.children.join('').trim()
  if (add === undefined && remove === undefined) {
    set(target, name, text)
    return null
  }
  if (text !== '') return `Attribute ${name} takes either text or add and remove.`
  const old = target.attrs.get(name) ?? ''
  if (isConditionAttribute(name)) {
    const separator = change.attrs.get('separator')?.trim() ?? 'or'
    if (separator !== 'and' && separator !== 'or') return `The separator of condition ${name} is "and" or "or".`
    set(target, name, joinCondition(without(old, remove, separator), add, separator))
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

/** Takes back what an earlier extension added, in the form it was added in; anything else stays. */
function without(old: string, remove: string | undefined, separator: string): string {
  const part = remove?.trim()
  if (part === undefined || part === '') return old
  if (old.trim() === part || old.trim() === `(${part})`) return ''
  for (const joined of [` ${separator} (${part})`, `(${part}) ${separator} `]) {
    const at = old.indexOf(joined)
    if (at >= 0) return unwrap(old.slice(0, at) + old.slice(at + joined.length))
  }
  return old
}

/** Drops one pair of parentheses that holds all of the text. */
function unwrap(text: string): string {
  if (!text.startsWith('(') || !text.endsWith(')')) return text
  let depth = 0
  for (let i = 0; i < text.length - 1; i++) {
    if (text[i] === '(') depth++
    else if (text[i] === ')' && --depth === 0) return text
  }
  return text.slice(1, -1)
}

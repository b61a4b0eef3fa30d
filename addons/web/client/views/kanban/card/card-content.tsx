import type { ComponentChildren } from 'preact'
import type { ArchNode } from '../../../../../../kernel/view/arch/arch.ts'
import type { WireField } from '../../../../../../kernel/view/wire.ts'
import { elementsOf } from '../../../core/arch.ts'
import { holds, type Scope } from '../../../core/expression.ts'
import { today } from '../../../core/format.ts'
import { drawField, type FieldRecord, findField } from '../../../core/registries.ts'
import { services } from '../../../services.ts'
import { plainRecord } from '../../../store/plain-record.ts'
import type { Values } from '../../../store/records.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { Icon } from '../../../ui/icon.tsx'
import type { IconName } from '../../../ui/icon-names.ts'
import type { KanbanArch } from '../model/arch.ts'
import { CompactAmount } from './amount.tsx'
import { CardButton } from './card-button.tsx'
import { Day } from './day.tsx'

/** What the template of a card is drawn with. */
export interface CardScope {
  readonly arch: KanbanArch
  readonly id: number
  readonly values: Values
  readonly record: FieldRecord
  readonly scope: Scope
}

export const cardScope = (arch: KanbanArch, id: number, values: Values): CardScope => ({
  arch,
  id,
  values,
  record: plainRecord({ model: arch.model, id, related: arch.related }, values),
  scope: { values, uid: services().session.bootstrap.user.id, today: today() },
})

type Child = ArchNode | string

const fieldOf = ({ arch }: CardScope, { tag, attrs }: ArchNode): WireField | undefined =>
  tag === 'field' ? arch.fields.find(({ name }) => name === attrs['name']) : undefined

const isHidden = ({ scope }: CardScope, node: ArchNode): boolean => holds(node.attrs['invisible'], scope)

/** Widgets that are drawn only if they have a value. */
const MARKS = new Set(['badge', 'favourite', 'priority', 'progressbar'])

function isBlankField(card: CardScope, node: ArchNode, field: WireField): boolean {
  const value = card.values[field.name]
  const { widget } = node.attrs
  // An image that is an avatar shows initials if it is empty.
  if (widget === 'image' && (node.attrs['class'] ?? '').includes('avatar')) return false
  if (value === null || value === undefined || value === '') return true
  if (Array.isArray(value) && value.length === 0) return true
  if (!MARKS.has(widget ?? '')) return false
  return value === false || value === 0 || (widget === 'priority' && value === field.selection?.[0]?.[0])
}

/** Whether a node shows nothing: hidden, without a value, or only texts around empty fields. */
function isBlank(card: CardScope, node: ArchNode): boolean {
  if (isHidden(card, node)) return true
  const field = fieldOf(card, node)
  if (field) return isBlankField(card, node, field)
  if (node.tag === 'field') return true
  if (node.tag === 'button' || node.tag === 'icon' || node.tag === 'hr') return false
  const parts = elementsOf(node)
  return parts.length > 0 ? parts.every((part) => isBlank(card, part)) : node.children.join('').trim() === ''
}

const SEPARATOR = /^[\s·•|/,–—-]*$/

/** Texts and elements of a line; a separator is dropped unless both its neighbours are shown. */
function childrenOf(card: CardScope, node: ArchNode): readonly Child[] {
  const shown = node.children.filter((child) => typeof child === 'string' || !isBlank(card, child))
  return shown.filter((child, at) => {
    if (typeof child !== 'string' || !SEPARATOR.test(child)) return true
    return child.trim() === '' || (typeof shown[at - 1] === 'object' && typeof shown[at + 1] === 'object')
  })
}

const WORDS = new Set(['char', 'many2one', 'selection', 'date', 'datetime'])

/** Adjacent names are separated by a dot. */
function withDots(card: CardScope, children: readonly Child[]): readonly Child[] {
  const isWords = (child: Child | undefined) =>
    typeof child === 'object' && WORDS.has(fieldOf(card, child)?.type ?? '') && child.attrs['widget'] !== 'badge'
  return children.map((child, at) =>
    typeof child === 'string' && child.trim() === '' && isWords(children[at - 1]) && isWords(children[at + 1])
      ? ' · '
      : child,
  )
}

/**
 * The parts of a card are drawn by functions: as components, a dozen on each card, they took a tenth more script. Preact recognises an element
 * by its place among its neighbours.
 */
const drawAll = (card: CardScope, children: readonly Child[]): ComponentChildren =>
  children.map((child) => (typeof child === 'string' ? child : drawElement(card, child)))

const URGENCIES = [
  ['decoration-danger', 'late'],
  ['decoration-warning', 'today'],
] as const

/** A value on a card: people as avatars, amounts and dates in short form, everything else by its widget. */
function drawValue(card: CardScope, node: ArchNode, field: WireField): ComponentChildren {
  const value = card.values[field.name] ?? null
  const { widget } = node.attrs
  if (widget === 'avatar' && field.type === 'many2one' && Array.isArray(value)) {
    const name = String(value[1] ?? '')
    return (
      <span class="face" data-tip={name}>
        <Avatar id={Number(value[0])} name={name} isRecord={field.relation !== 'core.user'} />
      </span>
    )
  }
  if (typeof value === 'number' && field.type === 'monetary' && widget === undefined) {
    const currency = field.currencyField === undefined ? null : card.values[field.currencyField]
    return <CompactAmount value={value} currency={Array.isArray(currency) ? String(currency[1]) : null} />
  }
  if (widget === 'priority' && field.selection) return <Priority field={field} value={value} />
  if (typeof value === 'string' && isDay(field, widget)) {
    const urgency = URGENCIES.find(([attribute]) => holds(node.attrs[attribute], card.scope))?.[1] ?? ''
    return <Day value={value} label={node.attrs['string'] ?? field.label} urgency={urgency} />
  }
  return drawField(findField('kanban', field.type, widget), {
    field,
    node,
    record: card.record,
    value,
    id: `card-${card.id}-${field.name}`,
    readonly: true,
    required: false,
    error: null,
    view: 'kanban',
    onChange: () => undefined,
  })
}

const SIGNALS = ['signal-low', 'signal-medium', 'signal-high'] as const

/** A priority as a small icon. */
function Priority({ field, value }: { readonly field: WireField; readonly value: unknown }) {
  const { selection = [], label } = field
  const at = selection.findIndex(([key]) => key === value)
  const name = `${label}: ${selection[at]?.[1] ?? String(value)}`
  // Counted from the end, so that the highest priority has the highest signal however many there are.
  const signal = SIGNALS[Math.max(0, SIGNALS.length - (selection.length - at))]!
  return (
    <span class="prio" role="img" aria-label={name} data-tip={name}>
      <Icon name="signal-high" class="off" />
      <Icon name={signal} />
    </span>
  )
}

const isDay = ({ type }: WireField, widget: string | undefined): boolean =>
  (type === 'date' && widget === undefined) || ((type === 'date' || type === 'datetime') && widget === 'date')

const PLAIN = new Set(['p', 'strong', 'b', 'em', 'i', 'small', 'ul', 'ol', 'li', 'br', 'hr'])

function drawElement(card: CardScope, node: ArchNode): ComponentChildren {
  const field = fieldOf(card, node)
  if (field) return drawValue(card, node, field)
  if (node.tag === 'button') return <CardButton card={card} node={node} />
  // The build adds icons that views of addons name to the sprite.
  if (node.tag === 'icon') return <Icon name={node.attrs['name'] as IconName} />
  const Tag = PLAIN.has(node.tag) ? (node.tag as 'p') : 'span'
  return <Tag class={classOf(node)}>{drawAll(card, childrenOf(card, node))}</Tag>
}

const classOf = ({ attrs }: ArchNode): string => classNames(attrs['class']?.replaceAll('muted', 't3'))

/** The heading's content; it is inside the link. */
export function drawTitle(card: CardScope): ComponentChildren {
  const { title } = card.arch
  if (title === null || isBlank(card, title)) return `#${card.id}`
  return drawAll(card, title.tag === 'field' ? [title] : childrenOf(card, title))
}

/** The lines below the title; empty ones are left out. */
export const drawLines = (card: CardScope): ComponentChildren =>
  card.arch.lines
    .filter((node) => !isBlank(card, node))
    .map((node) => (node.tag === 'footer' ? drawFoot(card, node) : drawLine(card, node)))

function drawLine(card: CardScope, node: ArchNode): ComponentChildren {
  if (node.tag === 'field') {
    const isPicture = node.attrs['widget'] === 'image'
    return <div class={classNames(isPicture ? 'pic' : 'meta', classOf(node))}>{drawElement(card, node)}</div>
  }
  const children = withDots(card, childrenOf(card, node))
  const isTags = elementsOf(node).some((child) => {
    const type = fieldOf(card, child)?.type
    return type === 'many2many' && child.attrs['widget'] !== 'avatar'
  })
  const isMuted = (node.attrs['class'] ?? '').includes('muted')
  return (
    <div class={classNames(isTags ? 'tags' : 'meta', !isTags && 'cut', isMuted && 'quiet')}>
      {drawAll(card, children)}
    </div>
  )
}

/** The last line: numbers at its start; dates, states and avatars at its end. */
function drawFoot(card: CardScope, node: ArchNode): ComponentChildren {
  const shown = childrenOf(card, node).filter((child) => typeof child !== 'string' || child.trim() !== '')
  const isAtEnd = (child: Child) => {
    if (typeof child === 'string') return false
    const field = fieldOf(card, child)
    const { widget } = child.attrs
    return (
      field !== undefined &&
      (widget === 'avatar' || widget === 'badge' || field.type === 'date' || isDay(field, widget))
    )
  }
  const end = shown.filter(isAtEnd)
  return (
    <div class="meta foot">
      {drawAll(
        card,
        shown.filter((child) => !isAtEnd(child)),
      )}
      {end.length > 0 && <span class="end hs">{drawAll(card, end)}</span>}
    </div>
  )
}

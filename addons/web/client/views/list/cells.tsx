import {
  Avatar,
  type ComponentChildren,
  type ComponentType,
  type FieldProps,
  type FieldRecord,
  fields as fieldRegistry,
  hueOf,
  Icon,
  type IconName,
  moneyParts,
  t,
  type Values,
  type WireField,
} from '../../sdk.ts'
import type { FieldColumn } from './arch.ts'
import { currencyOf, formatNumber, idOfLink, nameOfLink, textOf } from './cell-text.ts'
import { useNames } from './names.ts'

export interface CellProps {
  readonly column: FieldColumn
  readonly values: Values
  readonly today: string
  readonly record: FieldRecord
  /** Writes one value at once: switches. Absent where the user may not. */
  readonly onToggle?: ((value: unknown) => void) | undefined
}

/** A value in its cell. Addons may bring looks of their own as `list.<widget>`. */
export function drawCell(props: CellProps): ComponentChildren {
  const { column, values, record } = props
  const { widget, field, node } = column
  const own = widget === undefined ? undefined : fieldRegistry.get(`list.${widget}`)
  if (own) {
    // A widget narrows the value by the types it is registered for.
    const Widget = own.Widget as ComponentType<FieldProps>
    return (
      <Widget
        field={field}
        node={node}
        record={record}
        value={values[field.name] ?? null}
        id=""
        readonly
        required={false}
        error={null}
        view="list"
        onChange={noChange}
      />
    )
  }
  const draw = (widget === undefined ? undefined : LOOKS[widget]) ?? LOOKS[field.type]
  return draw ? draw(props) : textOf(values[field.name], field, widget, values, props.today)
}

const noChange = () => undefined

type Look = (props: CellProps) => ComponentChildren

const valueOf = ({ column, values }: CellProps): unknown => values[column.field.name] ?? null

const Person: Look = (props) => {
  const value = valueOf(props)
  const id = idOfLink(value)
  return id === null ? null : (
    <span class="who">
      <Avatar id={id} name={nameOfLink(value)} isNamed />
      <span>{nameOfLink(value)}</span>
    </span>
  )
}

const Link: Look = (props) => (props.column.field.relation === 'core.user' ? Person(props) : nameOfLink(valueOf(props)))

interface Shape {
  readonly icon: IconName
  readonly hue: '' | 'info' | 'success' | 'warning' | 'danger'
}

/** The shape says the state, the hue repeats it. Keys of selections that mean the same everywhere. */
const SHAPES: Readonly<Record<string, Shape>> = Object.fromEntries(
  (
    [
      ['draft new planned pending idle todo queued', { icon: 'st-draft', hue: '' }],
      ['sent open running progress in_progress started', { icon: 'st-sent', hue: 'info' }],
      ['sale won confirmed active success ok', { icon: 'st-sale', hue: 'success' }],
      ['done reached closed installed', { icon: 'st-done', hue: 'success' }],
      ['cancel cancelled lost failed failing error', { icon: 'st-cancel', hue: 'danger' }],
      ['overdue late', { icon: 'circle-alert', hue: 'danger' }],
      ['today soon warning paused', { icon: 'clock', hue: 'warning' }],
      ['locked', { icon: 'lock', hue: '' }],
    ] as const
  ).flatMap(([keys, shape]) => keys.split(' ').map((key) => [key, shape])),
)

export function State({ value, label }: { readonly value: string; readonly label: string }) {
  const { icon, hue } = SHAPES[value] ?? { icon: 'circle', hue: '' }
  return (
    <span class={`state ${hue}`}>
      <Icon name={icon} />
      {label}
    </span>
  )
}

const Badge: Look = (props) => {
  const value = valueOf(props)
  const { column, values, today } = props
  const label = textOf(value, column.field, column.widget, values, today)
  if (label === '') return null
  return column.field.type === 'selection' ? (
    <State value={String(value)} label={label} />
  ) : (
    <span class="badge">{label}</span>
  )
}

const Money: Look = (props) => {
  const value = valueOf(props)
  if (typeof value !== 'number') return null
  const { field } = props.column
  return <Amount value={value} currency={currencyOf(field, props.values)} field={field} />
}

export function Amount(props: { readonly value: number; readonly currency: string | null; readonly field: WireField }) {
  const { value, currency, field } = props
  const { sign, symbol, figure, symbolFirst } = moneyParts(value, currency, field.digits?.[1] ?? 2)
  const cur = symbol !== '' && <span class="cur">{symbol}</span>
  return symbolFirst ? (
    <>
      {sign}
      {cur}
      {figure}
    </>
  ) : (
    <>
      {sign}
      {figure} {cur}
    </>
  )
}

const Check: Look = (props) => {
  const isOn = valueOf(props) === true
  return (
    <span class={isOn ? 'yes' : 'no'}>
      <Icon name={isOn ? 'check' : 'minus'} />
      <span class="vh">{isOn ? t('Yes') : t('No')}</span>
    </span>
  )
}

const Toggle: Look = (props) => {
  const { onToggle, column } = props
  const isOn = valueOf(props) === true
  if (!onToggle) return Check(props)
  return (
    <input
      type="checkbox"
      class="switch"
      role="switch"
      tabIndex={-1}
      aria-label={column.label}
      checked={isOn}
      onChange={() => onToggle(!isOn)}
    />
  )
}

const Priority: Look = (props) => {
  const { selection = [] } = props.column.field
  const at = selection.findIndex(([key]) => key === valueOf(props))
  return (
    <span class="stars" role="img" aria-label={selection[at]?.[1] ?? t('Not set')}>
      {selection.slice(1).map(([key], index) => (
        <Icon key={key} name="star" size="s" class={index < at ? 'on' : ''} />
      ))}
    </span>
  )
}

const Progress: Look = (props) => {
  const value = valueOf(props)
  if (typeof value !== 'number') return null
  return (
    <span class="meter">
      <span class="bar" aria-hidden="true">
        <span style={{ width: `${Math.max(0, Math.min(100, value))}%` }} />
      </span>
      <span class="tn">{formatNumber(value, props.column.field, 'percent')}</span>
    </span>
  )
}

function Tags(props: CellProps) {
  const { field } = props.column
  const value = valueOf(props)
  const ids = Array.isArray(value) ? value.filter((id): id is number => typeof id === 'number') : []
  const names = useNames(field.relation ?? '', ids)
  if (field.relation === 'core.user') {
    return (
      <span class="avs">
        {names.map(([id, name]) => (
          <Avatar key={id} id={id} name={name} />
        ))}
      </span>
    )
  }
  return (
    <span class="taglist">
      {names.map(([id, name]) => (
        <span class="tag" key={id} data-hue={hueOf(id)}>
          {name}
        </span>
      ))}
    </span>
  )
}

const Color: Look = (props) => {
  const value = valueOf(props)
  return typeof value === 'number' ? (
    <span class="dot" data-hue={hueOf(value)} role="img" aria-label={t('Colour {n}', { n: value })} />
  ) : null
}

const LOOKS: Readonly<Record<string, Look>> = {
  avatar: Person,
  badge: Badge,
  boolean: Check,
  color: Color,
  many2many: (props) => <Tags {...props} />,
  many2one: Link,
  monetary: Money,
  priority: Priority,
  progressbar: Progress,
  statusbar: Badge,
  tags: (props) => <Tags {...props} />,
  toggle: Toggle,
}

import type { WireField } from '../../../../../kernel/view/wire.ts'
import { t } from '../../core/i18n.ts'
import { useNames } from '../../fields/value/names.ts'
import { choiceLabel, linkOf } from '../../fields/value/values.ts'
import type { Route } from '../../router/codec.ts'
import { valuesOf } from '../../store/records.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { hueOfValue, valueKeys } from '../plan/hues.ts'
import { changeFragment } from '../shared/fragment.ts'
import { MiniMonth } from './mini-month.tsx'
import { type Calendar, writeHidden } from './model/calendar.ts'

/** Beside the calendar: a small month to jump around in, and the values that can be hidden. */
export const Side = ({ calendar, route }: { readonly calendar: Calendar; readonly route: Route }) => (
  <section class="calside" aria-label={t('Filters')}>
    <MiniMonth calendar={calendar} route={route} />
    {calendar.arch.filters.map((field) => (
      <ValueFilter key={field.name} calendar={calendar} field={field} route={route} />
    ))}
  </section>
)

interface ValueFilterProps {
  readonly calendar: Calendar
  readonly field: WireField
  readonly route: Route
}

/** The values of a field that records on screen have; each can be hidden. */
function ValueFilter({ calendar, field, route }: ValueFilterProps) {
  const values = loadedValues(calendar, field)
  const hidden = calendar.hidden.value[field.name] ?? []
  // Hidden values stay in the list, so that they can be shown again.
  const all = [...new Set([...values.keys(), ...hidden])]
  const isLinks = field.type === 'many2many'
  const unnamed = all.filter((key) => key !== '' && field.relation !== undefined && !linkOf(values.get(key))?.name)
  const names = useNames(field.relation ?? '', unnamed.map(Number))
  const labelOf = (key: string): string =>
    key === ''
      ? t('Not set')
      : field.relation === undefined
        ? choiceLabel(field, key)
        : (names.find(({ id }) => String(id) === key)?.name ?? linkOf(values.get(key))?.name ?? '')
  const keys = all.map((key) => ({ key, label: labelOf(key) }))
  if (keys.length === 0 || (keys.length === 1 && hidden.length === 0)) return null
  const toggle = (key: string) => {
    const next = hidden.includes(key) ? hidden.filter((each) => each !== key) : [...hidden, key]
    changeFragment(route, { hide: writeHidden({ ...calendar.hidden.peek(), [field.name]: next }) })
  }
  const isPerson = field.relation === 'core.user'
  const isColor = field === calendar.arch.color
  return (
    <fieldset>
      <legend class="side-h">{field.label}</legend>
      <ul>
        {keys
          .toSorted((a, b) => Number(a.key === '') - Number(b.key === '') || a.label.localeCompare(b.label))
          .map(({ key, label }) => (
            <li
              key={key}
              {...(isColor && {
                'data-hue': hueOfValue(field, isLinks ? [Number(key)] : values.get(key)) ?? undefined,
              })}
            >
              <label class="opt">
                <input type="checkbox" class="check" checked={!hidden.includes(key)} onChange={() => toggle(key)} />
                {isPerson && key !== '' && <Avatar id={Number(key)} name={label} isNamed />}
                <span class="cut">{label}</span>
              </label>
            </li>
          ))}
      </ul>
    </fieldset>
  )
}

/** Values by their keys. */
function loadedValues({ set }: Calendar, field: WireField): ReadonlyMap<string, unknown> {
  const found = new Map<string, unknown>()
  for (const id of set.ids.value) {
    const value = valuesOf(set.entryOf(id)).value[field.name]
    for (const key of valueKeys(field, value)) found.set(key, value)
  }
  return found
}

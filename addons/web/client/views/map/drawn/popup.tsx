import { useEffect, useRef } from 'preact/hooks'
import { t } from '../../../core/i18n.ts'
import { drawField, findField } from '../../../core/registries.ts'
import { plainRecord } from '../../../store/plain-record.ts'
import { valuesOf } from '../../../store/records.ts'
import { Button } from '../../../ui/button.tsx'
import { classNames } from '../../../ui/class-names.ts'
import type { Places } from '../model/places.ts'

interface PopupProps {
  readonly places: Places
  readonly id: number
  /** All records at its place. */
  readonly ids: readonly number[]
  readonly style: Readonly<Record<string, string>>
  /** Whether there is more room below the pin. */
  readonly isBelow: boolean
}

/** The fields of the view for one record, and the ways on from here. */
export function Popup({ places, id, ids, style, isBelow }: PopupProps) {
  const { arch } = places
  const box = useRef<HTMLDivElement>(null)
  useFocus(box, id)
  const values = valuesOf(places.set.entryOf(id)).value
  const record = plainRecord({ model: arch.model, id, related: arch.related }, values)
  const coordinates = places.coordinatesOf(id)
  const title = places.titleOf(id)
  const rows = arch.shown.slice(1).filter(({ field }) => {
    const value = values[field.name]
    return value !== null && value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0)
  })
  return (
    <div ref={box} class={classNames('pop mpop', isBelow && 'below')} role="dialog" aria-label={title} style={style}>
      <b>{title}</b>
      <dl>
        {rows.map(({ node, field }) => (
          <div key={field.name}>
            <dt>{node.attrs['string'] ?? field.label}</dt>
            <dd>
              {drawField(findField('list', field.type, node.attrs['widget']), {
                field,
                node,
                record,
                value: values[field.name],
                id: `map-${field.name}`,
                readonly: true,
                required: false,
                error: null,
                view: 'list',
                onChange: () => undefined,
              })}
            </dd>
          </div>
        ))}
      </dl>
      {ids.length > 1 && (
        <div class="hs">
          <span class="t2" aria-live="polite">
            {t('{n} of {all} at this place', { n: ids.indexOf(id) + 1, all: ids.length })}
          </span>
          <Button
            label={t('Next')}
            icon="chevron-right"
            kind="ghost"
            size="sm"
            onClick={() => {
              places.selected.value = nextOf(ids, id)
            }}
          />
        </div>
      )}
      <div class="hs acts">
        {coordinates && (
          <Button
            label={t('Route')}
            icon="map-pin"
            kind="ghost"
            size="sm"
            isOutside
            href={`https://www.openstreetmap.org/directions?to=${coordinates.latitude},${coordinates.longitude}`}
          />
        )}
        <Button label={t('Open')} kind="primary" size="sm" href={places.hrefOf(id)} />
        <Button
          label={t('Close')}
          icon="x"
          iconOnly
          kind="ghost"
          size="sm"
          onClick={() => {
            places.selected.value = null
          }}
        />
      </div>
    </div>
  )
}

/** The record after this one, and the first one after the last. */
export const nextOf = (ids: readonly number[], id: number | null): number | null =>
  ids[(ids.indexOf(id ?? 0) + 1) % ids.length] ?? null

/** Opened by keys it takes the focus, and gives it back to the pin or the row it came from. */
function useFocus(box: { readonly current: HTMLElement | null }, id: number): void {
  const opener = useRef<HTMLElement | null>(null)
  useEffect(() => {
    const [popup, now] = [box.current, document.activeElement]
    // From one record to the next at the same place.
    if (!popup || popup.contains(now)) return
    const isByKeys = now?.matches(':is([data-pin], [data-place], .pin.cl):focus-visible') ?? false
    opener.current = isByKeys && now instanceof HTMLElement ? now : null
    if (isByKeys) popup.querySelector<HTMLElement>('.acts .primary')?.focus()
  }, [id])
  useEffect(() => {
    const popup = box.current
    return () => {
      const now = document.activeElement
      if (now === document.body || popup?.contains(now)) opener.current?.focus()
    }
  }, [])
}

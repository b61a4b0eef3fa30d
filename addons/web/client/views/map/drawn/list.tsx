import { useEffect, useRef } from 'preact/hooks'
import { t } from '../../../core/i18n.ts'
import { valuesOf } from '../../../store/records.ts'
import { classNames } from '../../../ui/class-names.ts'
import { useRecentChanges } from '../../../ui/recent-changes.ts'
import { shownText } from '../../plan/arch.ts'
import type { Places } from '../model/places.ts'
import { isInView } from '../model/projection.ts'
import { viewText } from './pins.tsx'

/** Further records are not listed; the user can narrow the search. */
const MAX_LISTED = 200

/** The records in the window beside the map: for those who cannot see the map. */
export function PlaceList({ places, onMoved }: { readonly places: Places; readonly onMoved: () => void }) {
  const pins = places.inView.value
  return (
    <section class="maplist" aria-label={t('Records in view')}>
      <h2 class="side-h" aria-live="polite">
        {viewText(pins.length, places.pins.value.length)}
      </h2>
      <ul data-scroll="places">
        {pins.slice(0, MAX_LISTED).map(({ id }) => (
          <PlaceRow key={id} places={places} id={id} onMoved={onMoved} />
        ))}
        {pins.length > MAX_LISTED && <li class="t3">{t('and {n} more', { n: pins.length - MAX_LISTED })}</li>}
      </ul>
    </section>
  )
}

interface PlaceRowProps {
  readonly places: Places
  readonly id: number
  readonly onMoved: () => void
}

function PlaceRow({ places, id, onMoved }: PlaceRowProps) {
  const { arch } = places
  const entry = places.set.entryOf(id)
  const values = valuesOf(entry).value
  const isRecent = useRecentChanges(entry).size > 0
  const texts = arch.shown.slice(1).flatMap((shown) => {
    const text = shownText(arch, shown, id, values)
    return text === '' ? [] : [{ text, isNumber: shown.field.type === 'monetary' }]
  })
  const amount = texts.find(({ isNumber }) => isNumber)
  const details = texts.filter((each) => each !== amount).slice(0, 2)
  const isOn = places.selected.value === id
  const row = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (isOn && row.current) scrollInto(row.current)
  }, [isOn])
  const choose = () => {
    places.selected.value = id
    const pin = places.pins.peek().find((each) => each.id === id)
    const [camera, size] = [places.camera.peek(), places.size.peek()]
    const isEdge =
      pin && camera && size && !isInView(camera, pin, { width: size.width * 0.6, height: size.height * 0.6 })
    if (pin && camera && isEdge) {
      places.camera.value = { ...camera, x: pin.x, y: pin.y }
      onMoved()
    }
  }
  return (
    <li ref={row} class={classNames(isRecent && 'live')}>
      <button type="button" aria-pressed={isOn} data-place={id} onClick={choose}>
        <span class="grow">
          <b class="cut">{places.titleOf(id)}</b>
          <span class="t2 fs12 cut">{details.map(({ text }) => text).join(', ')}</span>
        </span>
        {amount && <span class="tn">{amount.text}</span>}
      </button>
    </li>
  )
}

/** Within the list only: the page would lose the map on a small screen. */
function scrollInto(row: HTMLElement): void {
  const list = row.parentElement
  if (!list) return
  const [inner, outer] = [row.getBoundingClientRect(), list.getBoundingClientRect()]
  list.scrollTop += Math.min(0, inner.top - outer.top) + Math.max(0, inner.bottom - outer.bottom)
}

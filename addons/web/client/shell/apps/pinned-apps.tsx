import { combine } from '@atlaskit/pragmatic-drag-and-drop/combine'
import { draggable, dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { WireApp } from '../../../../../kernel/view/wire.ts'
import { t } from '../../core/i18n.ts'
import { classNames } from '../../ui/class-names.ts'
import { AppTile } from './app-tile.tsx'
import { movePin, pinnedApps } from './pins.ts'
import { AppCaption, PinButton } from './tile-parts.tsx'

/** The pinned applications. Tiles are reordered by dragging, or with Alt and the arrow keys. */
export function PinnedApps({ edit }: { readonly edit: ComponentChildren }) {
  const [said, setSaid] = useState('')
  const apps = pinnedApps()
  if (apps.length === 0) return null
  const move = (app: WireApp, to: number) => {
    const place = Math.max(0, Math.min(to, apps.length - 1))
    movePin(app.module, place)
    setSaid(t('{app} is now at place {place} of {total}', { app: app.name, place: place + 1, total: apps.length }))
  }
  return (
    <section aria-labelledby="home-pinned">
      <div class="sech">
        <h2 id="home-pinned">{t('Pinned')}</h2>
        <span class="t3 fs12 wide hint">{t('Drag to order, or Alt and the arrows')}</span>
        {edit}
      </div>
      <ul class="apps">
        {apps.map((app, index) => (
          <Pin key={app.module} app={app} index={index} onMove={move} />
        ))}
      </ul>
      <span class="vh" role="status" aria-live="polite">
        {said}
      </span>
    </section>
  )
}

interface PinProps {
  readonly app: WireApp
  readonly index: number
  readonly onMove: (app: WireApp, to: number) => void
}

const STEPS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }

function Pin({ app, index, onMove }: PinProps) {
  const item = useRef<HTMLLIElement>(null)
  const [state, setState] = useState<'dragged' | 'over' | null>(null)
  const latest = useRef({ index, onMove })
  latest.current = { index, onMove }

  useEffect(() => {
    const element = item.current
    if (!element) return
    return combine(
      draggable({
        element,
        getInitialData: () => ({ pin: app.module }),
        onDragStart: () => setState('dragged'),
        onDrop: () => setState(null),
      }),
      dropTargetForElements({
        element,
        canDrop: ({ source }) => typeof source.data['pin'] === 'string',
        getData: () => ({ place: latest.current.index }),
        onDragEnter: ({ source }) => source.data['pin'] !== app.module && setState('over'),
        onDragLeave: () => setState((now) => (now === 'over' ? null : now)),
        onDrop: ({ source }) => {
          setState(null)
          const moved = pinnedApps().find(({ module }) => module === source.data['pin'])
          if (moved && moved.module !== app.module) latest.current.onMove(moved, latest.current.index)
        },
      }),
    )
  }, [app.module])

  function press(event: KeyboardEvent): void {
    const step = STEPS[event.key]
    if (!event.altKey || step === undefined) return
    event.preventDefault()
    onMove(app, index + step)
  }

  return (
    <li ref={item} class={classNames(state === 'dragged' && 'dragged', state === 'over' && 'over')}>
      <a
        class="apptile"
        href={app.href}
        data-root
        data-focus={`pin-${app.module}`}
        draggable={false}
        aria-keyshortcuts="Alt+ArrowLeft Alt+ArrowRight"
        onKeyDown={press}
      >
        <AppTile module={app.module} isLarge />
        <span class="lb">
          <b class="bold">{app.name}</b>
          <AppCaption app={app} />
        </span>
      </a>
      <PinButton app={app} />
    </li>
  )
}

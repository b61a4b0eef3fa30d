import './edit.css'
import { useEffect, useRef, useState } from 'preact/hooks'
import { deferred } from '../../../core/deferred.tsx'
import { t } from '../../../core/i18n.ts'
import { announce } from '../../../ui/announce.ts'
import { Button } from '../../../ui/button.tsx'
import { showError, showToast, undoAction } from '../../../ui/toasts.tsx'
import { followPointer } from '../../plan/follow-pointer.ts'
import type { Arranging } from '../model/arranging.ts'
import type { Dashboard } from '../model/dashboard.ts'
import type { Filters } from '../model/filters.ts'
import { inReadingOrder, moveTile, resizeTile, settle } from '../model/layout.ts'
import { type TileRecord, tileRoute } from '../model/tile.ts'
import { TileFrame } from '../tile/tile-frame.tsx'
import { arrangeByKey, placeText } from './arrange-keys.ts'
import { cellSize } from './cell-size.ts'

const settings = deferred(() => import('./tile-settings.tsx'))

interface EditGridProps {
  readonly dashboard: Dashboard
  readonly arranging: Arranging
  readonly filters: Filters
}

/** A tile under the pointer: how far it was dragged, and the arrangement if it were dropped. */
interface Held {
  readonly id: number
  readonly kind: 'move' | 'size'
  readonly dx: number
  readonly dy: number
  readonly preview: readonly TileRecord[]
}

/** The tiles with handles: dragged and resized in cells of the grid, by pointer and by keys. */
export function EditGrid({ dashboard, arranging, filters }: EditGridProps) {
  const grid = useRef<HTMLDivElement>(null)
  const [held, setHeld] = useState<Held | null>(null)
  const tiles = arranging.tiles.value
  const shown = held?.preview ?? tiles

  function press(event: PointerEvent, tile: TileRecord, kind: Held['kind']): void {
    if (!grid.current) return
    const cell = cellSize(grid.current)
    const start = arranging.tiles.peek()
    let preview = start
    followPointer(event, {
      onStart: () => setHeld({ id: tile.id, kind, dx: 0, dy: 0, preview: start }),
      onMove: ({ clientX, clientY }) => {
        const dx = clientX - event.clientX
        const dy = clientY - event.clientY
        const columns = Math.round((cell.isRtl ? -dx : dx) / cell.width)
        const rows = Math.round(dy / cell.height)
        preview =
          kind === 'move'
            ? moveTile(start, tile.id, tile.x + columns, tile.y + rows)
            : resizeTile(start, tile.id, tile.w + columns, tile.h + rows)
        setHeld({ id: tile.id, kind, dx, dy, preview })
      },
      onEnd: () => {
        setHeld(null)
        arranging.apply(preview)
      },
      onCancel: () => setHeld(null),
    })
  }

  function keyDown(event: KeyboardEvent, tile: TileRecord): void {
    if (event.key === 'Delete' || event.key === 'Backspace') {
      event.preventDefault()
      remove(tile)
      return
    }
    const next = arrangeByKey(arranging.tiles.peek(), tile.id, event)
    if (next === null) return
    event.preventDefault()
    event.stopPropagation()
    arranging.apply(next)
    const placed = next.find(({ id }) => id === tile.id)
    if (placed) announce(placeText(placed))
  }

  async function change(tile: TileRecord): Promise<void> {
    try {
      const [{ changeTile }, workspace] = await Promise.all([
        settings.load(),
        dashboard.workspaceAt(tile.viewType, tileRoute(tile, [])),
      ])
      await changeTile(arranging, tile, workspace)
    } catch (error) {
      showError(error)
    }
  }

  function remove(tile: TileRecord): void {
    const before = arranging.tiles.peek()
    const at = before.findIndex(({ id }) => id === tile.id)
    arranging.apply(settle(before.filter(({ id }) => id !== tile.id)))
    focusNext.current = before[at + 1]?.id ?? before[at - 1]?.id ?? null
    showToast({
      level: 'info',
      text: t('“{name}” removed', { name: tile.name }),
      action: undoAction(arranging.undo),
    })
  }

  // After a removal the focus goes on to the next tile, so that keys keep working.
  const focusNext = useRef<number | null>(null)
  useEffect(() => {
    const id = focusNext.current
    focusNext.current = null
    if (id !== null) grid.current?.querySelector<HTMLElement>(`[data-tile="${id}"]`)?.focus()
  }, [tiles])

  const origin = (id: number) => tiles.find((tile) => tile.id === id)
  return (
    <div class="dash editing" ref={grid} data-held={held?.kind}>
      {held?.kind === 'move' && <Slot tile={shown.find(({ id }) => id === held.id)} />}
      {inReadingOrder(shown).map((placed) => {
        const isHeld = held?.id === placed.id && held.kind === 'move'
        // The tile under the pointer is drawn relative to its old place; the slot shows where it would be dropped.
        const tile = isHeld ? (origin(placed.id) ?? placed) : placed
        return (
          <TileFrame
            key={tile.id}
            dashboard={dashboard}
            tile={tile}
            filters={filters}
            grip={<Grip tile={tile} onPress={(event) => press(event, tile, 'move')} />}
            tools={
              <span class="dt-edit">
                <Button
                  label={t('Settings of {name}', { name: tile.name })}
                  icon="sliders-horizontal"
                  iconOnly
                  kind="ghost"
                  size="sm"
                  onClick={() => void change(tile)}
                />
                <Button
                  label={t('Remove {name}', { name: tile.name })}
                  icon="x"
                  iconOnly
                  kind="ghost"
                  size="sm"
                  onClick={() => remove(tile)}
                />
              </span>
            }
            corner={<Corner tile={tile} onPress={(event) => press(event, tile, 'size')} />}
            own={{
              tabIndex: 0,
              'aria-keyshortcuts': 'ArrowLeft ArrowRight ArrowUp ArrowDown Shift+ArrowRight Shift+ArrowDown Delete',
              onKeyDown: (event: KeyboardEvent) => event.target === event.currentTarget && keyDown(event, tile),
              ...(isHeld && { 'data-held': '' }),
            }}
            {...(isHeld && { offset: [held.dx, held.dy] as const })}
          />
        )
      })}
    </div>
  )
}

function Slot({ tile }: { readonly tile: TileRecord | undefined }) {
  return tile ? <div class="dt-slot" style={{ '--x': tile.x, '--y': tile.y, '--w': tile.w, '--h': tile.h }} /> : null
}

interface HandleProps {
  readonly tile: TileRecord
  readonly onPress: (event: PointerEvent) => void
}

/** Not a stop of the tab key: the tile itself takes the keys. */
const Grip = ({ tile, onPress }: HandleProps) => (
  <span class="dt-grip" data-tip={t('Move {name}', { name: tile.name })} onPointerDown={onPress}>
    <svg class="i" viewBox="0 0 24 24" aria-hidden="true">
      <g fill="currentColor">
        <circle cx="9" cy="5" r="1.4" />
        <circle cx="9" cy="12" r="1.4" />
        <circle cx="9" cy="19" r="1.4" />
        <circle cx="15" cy="5" r="1.4" />
        <circle cx="15" cy="12" r="1.4" />
        <circle cx="15" cy="19" r="1.4" />
      </g>
    </svg>
  </span>
)

const Corner = ({ tile, onPress }: HandleProps) => (
  <span class="dt-size" data-tip={t('Resize {name}', { name: tile.name })} onPointerDown={onPress}>
    <svg viewBox="0 0 12 12" width="12" height="12" aria-hidden="true">
      <path d="M11 3 3 11M11 7.5 7.5 11" fill="none" stroke="currentColor" stroke-width="1.5" stroke-linecap="round" />
    </svg>
  </span>
)

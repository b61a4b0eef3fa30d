import './tile.css'
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import { t } from '../../core/i18n.ts'
import type { TileProps } from '../../core/registries.ts'
import { useSearch } from '../../search/query/search-model.ts'
import { TileBody } from '../shared/tile/tile-body.tsx'
import { Card } from './card/card.tsx'
import { ColumnView } from './column/column.tsx'
import { createBoard } from './model/board.ts'
import { followBoard } from './model/live.ts'
import { pressOnBoard } from './move/keys.ts'

/** The board itself: cards are moved here as in the full view. */
export function Tile({ workspace, route, title }: TileProps) {
  const search = useSearch(workspace, route)
  const box = useRef<HTMLDivElement>(null)
  const board = useMemo(() => createBoard(workspace, search), [])
  const isBusy = () => board.lifted.peek() !== null || board.creating.peek() !== null
  const live = useMemo(() => followBoard(board, isBusy), [])
  useLayoutEffect(() => board.take(workspace, search), [workspace, search])
  useEffect(
    () => () => {
      live.stop()
      board.stop()
    },
    [],
  )
  const columns = board.columns.value
  const ids = board.cards.ids.value.value
  const isGrouped = board.item.value !== ''
  const isLoaded = !board.isLoading.value || columns.length > 0 || ids.length > 0
  const press = (event: KeyboardEvent) => box.current && pressOnBoard(board, box.current, event)
  return (
    <TileBody
      load={{ isStale: board.isLoading, error: board.error, reload: board.reload }}
      isLoaded={isLoaded}
      isEmpty={isGrouped ? columns.length === 0 : ids.length === 0}
    >
      <div class="kanban intile" ref={box} aria-busy={board.isLoading.value}>
        {isGrouped ? (
          <div
            class="board"
            role="region"
            aria-label={t('{title}, scrollable', { title })}
            data-lifted={board.lifted.value?.by}
            onKeyDown={press}
          >
            {columns.map((column) => (
              <ColumnView key={column.key} board={board} column={column} />
            ))}
          </div>
        ) : (
          <div class="tilebody scrolled">
            <div class="cardgrid" role="list" aria-label={title} data-column="" onKeyDown={press}>
              {ids.map((id) => (
                <Card key={id} board={board} column={board.cards} id={id} isCurrent={id === ids[0]} />
              ))}
            </div>
          </div>
        )}
      </div>
    </TileBody>
  )
}

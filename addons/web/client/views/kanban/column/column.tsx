import { useEffect, useRef } from 'preact/hooks'
import { deferred, deferredComponent } from '../../../core/deferred.tsx'
import { t, tn } from '../../../core/i18n.ts'
import { Button } from '../../../ui/button.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { ErrorState } from '../../../ui/empty.tsx'
import { MenuButton } from '../../../ui/menu.tsx'
import { Card } from '../card/card.tsx'
import { useFirstCards } from '../card/first-cards.ts'
import type { Board, BoardColumn } from '../model/board.ts'
import { cardMoves } from '../model/card-moves.ts'
import { Sums } from './sums.tsx'

export const quickCreate = deferred(() => import('./quick-create.tsx'))

const QuickCreate = deferredComponent(quickCreate, ({ QuickCreate }) => QuickCreate)

const ColumnBar = deferredComponent(
  cardMoves,
  (loaded) => loaded.ColumnBar,
  () => <div class="bar" style={{ marginBlock: '4px 2px' }} />,
)

interface ColumnProps {
  readonly board: Board
  readonly column: BoardColumn
}

export function ColumnView({ board, column }: ColumnProps) {
  const element = useRef<HTMLElement>(null)
  const isFolded = column.isFolded.value
  const isDropping = board.mayMove.value || board.mayOrder.value
  const isOver = board.slot.value?.column === column.key

  useEffect(() => {
    if (!isDropping || !element.current) return
    const target = element.current
    let stop: (() => void) | null = null
    let isGone = false
    void cardMoves.load().then(({ makeDropTarget }) => {
      if (!isGone) stop = makeDropTarget(board, target, column.key)
    })
    return () => {
      isGone = true
      stop?.()
    }
  }, [board, column.key, isDropping, isFolded])
  const isWanted = !isFolded && !column.isOpened.value
  useWhenSeen(element, isWanted ? column : null, () => void board.loadMore(column))

  const { label } = column
  const { count } = column.stats.value.value
  return isFolded ? (
    <section
      class={classNames('col fold', isOver && 'over')}
      aria-label={t('{column}, folded', { column: label })}
      ref={element}
    >
      <Button
        label={t('Unfold {column}', { column: label })}
        icon="chevrons-right"
        iconOnly
        size="sm"
        kind="ghost"
        onClick={() => board.fold(column, false)}
      />
      <span class="count">{count}</span>
      <h2>{label}</h2>
      <span class="vert t3">
        <Sums board={board} of={[column]} />
      </span>
    </section>
  ) : (
    <section class={classNames('col', isOver && 'over')} aria-label={label} ref={element}>
      <Head board={board} column={column} />
      <Cards board={board} column={column} />
    </section>
  )
}

/** Calls `run` when the element comes near the visible area, once for every new `wanted`. */
function useWhenSeen(element: { readonly current: HTMLElement | null }, wanted: object | null, run: () => void): void {
  useEffect(() => {
    if (!wanted || !element.current) return
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return
        observer.disconnect()
        run()
      },
      { rootMargin: '0px 400px' },
    )
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [wanted])
}

function Head({ board, column }: ColumnProps) {
  const { label } = column
  const { count, progress } = column.stats.value.value
  const { progress: bar } = board.arch
  return (
    <header>
      <div class="top">
        <h2 class="cut">{label}</h2>
        <span class="count" aria-label={tn(count, '{n} card', '{n} cards')} role="img">
          {count}
        </span>
        <MenuButton
          label={t('Column {column}', { column: label })}
          icon="ellipsis"
          iconOnly
          size="sm"
          kind="ghost"
          class="more"
          items={() => cardMoves.peek()?.columnMenu(board, column) ?? []}
        />
        <span class="sum">
          <Sums board={board} of={[column]} />
        </span>
        {board.arch.mayCreate && (
          <Button
            label={t('New in {column}', { column: label })}
            icon="plus"
            iconOnly
            size="sm"
            kind="ghost"
            onClick={() => {
              board.creating.value = column.key
            }}
          />
        )}
      </div>
      {bar && progress && <ColumnBar board={board} shares={progress} count={count} />}
    </header>
  )
}

/** Height in pixels of a card with one line below its title. */
const CARD_HEIGHT = 75

/** The cards of a column, with a gap where the dragged card would be dropped. */
function Cards({ board, column }: ColumnProps) {
  const ids = column.ids.value.value
  const [drawn, scroller] = useFirstCards(ids, innerHeight / CARD_HEIGHT)
  const { count } = column.stats.value.value
  const slot = board.slot.value
  const lifted = board.lifted.value?.id
  const at = slot?.column === column.key && board.mayOrder.value ? slot.index : -1
  const current = column.current.value
  const first = current !== null && ids.includes(current) ? current : ids[0]
  const error = column.error.value
  const isCreating = board.creating.value === column.key
  const MovedAwayNote = cardMoves.value?.MovedAwayNote
  const notes = MovedAwayNote ? board.movedAway.value.filter((place) => place.column === column.key) : []
  const notesAt = (is: (index: number) => boolean) =>
    MovedAwayNote &&
    notes.filter(({ index }) => is(index)).map((place) => <MovedAwayNote key={`moved-away-${place.id}`} {...place} />)
  let place = 0
  return (
    <div
      class="cards"
      aria-busy={column.isLoading.value}
      data-scroll={`col-${column.key}`}
      data-column={column.key}
      ref={scroller}
    >
      {isCreating && <QuickCreate board={board} column={column} />}
      {ids.length + notes.length > 0 && (
        <div class="cardlist" role="list" aria-label={t('Cards of {column}', { column: column.label })}>
          {drawn.flatMap((id, index) => {
            const isHere = id !== lifted && place++ === at
            return [
              isHere && <SlotView key="slot" />,
              notesAt((at) => at === index),
              <Card key={id} board={board} column={column} id={id} isCurrent={id === first} />,
            ]
          })}
          {notesAt((at) => at >= ids.length)}
        </div>
      )}
      {at >= place && <SlotView key="slot" />}
      {error !== null && <ErrorState error={error} onRetry={() => void board.loadMore(column)} />}
      {column.isLoading.value && ids.length === 0 && <Waiting />}
      {ids.length < count && ids.length > 0 && column.isOpened.value && (
        <Button
          label={tn(count - ids.length, '{n} more', '{n} more')}
          kind="ghost"
          size="sm"
          class="loadmore"
          isBusy={column.isLoading.value}
          onClick={() => void board.loadMore(column).then(() => cardMoves.peek()?.keepFocus(column, ids.length))}
        />
      )}
      {ids.length + notes.length === 0 && count === 0 && at < 0 && !isCreating && (
        <p class="nothing">{t('No cards')}</p>
      )}
    </div>
  )
}

const SlotView = () => <div class="card slot" aria-hidden="true" />

const Waiting = () => (
  <>
    {[0, 1, 2].map((each) => (
      <div key={each} class="card waiting" aria-hidden="true">
        <span class="sk" />
        <span class="sk" />
      </div>
    ))}
  </>
)

import { useEffect, useRef } from 'preact/hooks'
import { deferred, deferredComponent } from '../../../core/deferred.tsx'
import { t, tn } from '../../../core/i18n.ts'
import { openRecord } from '../../../router/open-record.ts'
import { Button } from '../../../ui/button.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { ErrorState } from '../../../ui/empty.tsx'
import { MenuButton, type MenuItem } from '../../../ui/menu.tsx'
import { ColumnSum } from '../card/amount.tsx'
import { Card } from '../card/card.tsx'
import type { Board, BoardColumn } from '../model/board.ts'
import { cardMoves } from '../model/card-moves.ts'

export const quickCreate = deferred(() => import('./quick-create.tsx'))

const QuickCreate = deferredComponent(quickCreate, ({ QuickCreate }) => QuickCreate)

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
        <ColumnTotal board={board} column={column} />
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
          items={() => columnMenu(board, column)}
        />
        <span class="sum">
          <ColumnTotal board={board} column={column} />
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
      {bar && progress && <Progress board={board} shares={progress} count={count} />}
    </header>
  )
}

function columnMenu(board: Board, column: BoardColumn): readonly MenuItem[] {
  const { field } = board
  const relation = field.peek()?.relation
  const isRecord = board.mayMove.peek() && relation !== undefined && typeof column.value === 'number'
  return [
    { label: t('Fold'), icon: 'chevrons-left', run: () => board.fold(column, true) },
    ...(isRecord && board.arch.related[field.peek()?.name ?? '']?.access.write
      ? [
          {
            label: t('Edit the column'),
            icon: 'pencil' as const,
            run: () =>
              void openRecord({ model: relation, id: Number(column.value) }).then((saved) => saved && board.reload()),
          },
        ]
      : []),
  ]
}

/** The total of a column; hidden if the loaded cards are in several currencies. */
export function ColumnTotal({ board, column }: ColumnProps) {
  const { sum } = column.stats.value.value
  const { sum: field } = board.arch
  const currency = boardCurrency(board)
  if (sum === null || !field || (field.currencyField !== undefined && currency === undefined)) return null
  return (
    <span data-tip={field.label}>
      <ColumnSum value={sum} field={field} currency={currency ?? null} />
    </span>
  )
}

/** The currency of the loaded cards; null if they have none, undefined if there are several. */
export function boardCurrency(board: Board): string | null | undefined {
  const name = board.arch.sum?.currencyField
  if (name === undefined) return null
  const codes = new Set(
    board.columns.value.flatMap(({ ids }) =>
      ids.base.value.map((id) => {
        const value = board.entryOf(id).values.base.peek()[name]
        return Array.isArray(value) ? String(value[1]) : null
      }),
    ),
  )
  codes.delete(null)
  return codes.size > 1 ? undefined : ([...codes][0] ?? null)
}

interface ProgressProps {
  readonly board: Board
  readonly shares: Readonly<Record<string, number>>
  readonly count: number
}

/** Order of the segments of the progress bar, from good to bad. */
const MOODS: readonly string[] = ['success', 'info', 'warning', 'danger', 'muted']

/** Progress bar with the share of each value; cards without a value leave it empty. */
function Progress({ board, shares, count }: ProgressProps) {
  const { progress } = board.arch
  if (!progress) return null
  const { field, colors } = progress
  const known = field.selection?.map(([key]) => key) ?? Object.keys(shares).filter((key) => key !== '')
  const keys = known.toSorted((a, b) => MOODS.indexOf(colors[a] ?? 'muted') - MOODS.indexOf(colors[b] ?? 'muted'))
  const parts = keys.map((key) => ({
    key,
    share: shares[key] ?? 0,
    label: field.selection?.find(([each]) => each === key)?.[1] ?? key,
  }))
  const rest = Math.max(0, count - parts.reduce((sum, { share }) => sum + share, 0))
  const words = [...parts.map(({ share, label }) => `${share} ${label}`), ...(rest > 0 ? [`${rest} ${t('none')}`] : [])]
  const text = `${field.label}: ${words.join(', ')}`
  return (
    <div class="bar" role="img" aria-label={text} data-tip={text}>
      {parts.map(({ key, share }) => (
        <span key={key} class={colors[key] ?? 'muted'} style={{ flex: share }} />
      ))}
      <span class="none" style={{ flex: count === 0 ? 1 : rest }} />
    </div>
  )
}

/** The cards of a column, with a gap where the dragged card would be dropped. */
function Cards({ board, column }: ColumnProps) {
  const ids = column.ids.value.value
  const { count } = column.stats.value.value
  const slot = board.slot.value
  const lifted = board.lifted.value?.id
  const at = slot?.column === column.key && board.mayOrder.value ? slot.index : -1
  const current = column.current.value
  const first = current !== null && ids.includes(current) ? current : ids[0]
  const error = column.error.value
  const isCreating = board.creating.value === column.key
  const LeftNote = cardMoves.value?.LeftNote
  const notes = LeftNote ? board.left.value.filter((place) => place.column === column.key) : []
  const notesAt = (is: (index: number) => boolean) =>
    LeftNote && notes.filter(({ index }) => is(index)).map((place) => <LeftNote key={`left-${place.id}`} {...place} />)
  let place = 0
  return (
    <div class="cards" aria-busy={column.isLoading.value} data-scroll={`col-${column.key}`} data-column={column.key}>
      {isCreating && <QuickCreate board={board} column={column} />}
      {ids.length + notes.length > 0 && (
        <div class="cardlist" role="list" aria-label={t('Cards of {column}', { column: column.label })}>
          {ids.flatMap((id, index) => {
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
          onClick={() => void board.loadMore(column)}
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

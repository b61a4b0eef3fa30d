import { useSignalEffect } from '@preact/signals'
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import { deferred, deferredComponent } from '../../core/deferred.tsx'
import { deferredParts } from '../../core/deferred-parts.ts'
import { hotkeys, isFocusNowhere } from '../../core/hotkeys.ts'
import { t, tn } from '../../core/i18n.ts'
import type { ViewProps } from '../../core/registries.ts'
import { changeRoute } from '../../router/codec.ts'
import { EmptyState } from '../../search/empty-state.tsx'
import { useSearch } from '../../search/query/search-model.ts'
import { ViewFrame } from '../../search/view-frame.tsx'
import { services } from '../../services.ts'
import { rememberPagerRecords } from '../../store/pager-records.ts'
import { ErrorState } from '../../ui/empty.tsx'
import { DelayedSkeleton } from '../../ui/skeleton.tsx'
import { Card } from './card/card.tsx'
import { useFirstCards } from './card/first-cards.ts'
import { ColumnView, quickCreate } from './column/column.tsx'
import { Sums } from './column/sums.tsx'
import { type Board, type BoardColumn, createBoard, MAX_COLUMNS } from './model/board.ts'
import { cardMoves } from './model/card-moves.ts'
import { followDrags } from './model/drags.ts'
import { followBoard } from './model/live.ts'
import { pressOnBoard } from './move/keys.ts'
import './view.css'

const AddColumn = deferredComponent(
  deferred(() => import('./column/add-column.tsx')),
  ({ AddColumn }) => AddColumn,
)

/** Records as cards, in columns or side by side. */
export function View({ workspace, route }: ViewProps) {
  const search = useSearch(workspace, route)
  const box = useRef<HTMLDivElement>(null)
  const board = useMemo(() => {
    const made = createBoard(workspace, search)
    made.take(workspace, search)
    return made
  }, [])
  const live = useMemo(() => followBoard(board, (column) => isHeld(board, column, box.current)), [])
  const isFirst = useRef(true)
  useLayoutEffect(() => {
    if (isFirst.current) isFirst.current = false
    else board.take(workspace, search)
  }, [workspace, search])
  useEffect(() => {
    const stopDrags = followDrags(board)
    return () => {
      stopDrags()
      live.stop()
      board.stop()
    }
  }, [])
  useEffect(() => {
    // Loaded ahead, so that it is ready at the first click.
    if (board.arch.hasQuickCreate) quickCreate.load().catch(() => undefined)
  }, [])
  useKeys(board, box)
  usePagerRecords(board)

  const Updates = deferredParts.value?.Updates
  const isGrouped = board.item.value !== ''
  const { listOffset: offset, listLimit: limit, listTotalExact } = workspace
  const total = board.cards.stats.value.value.count
  return (
    <ViewFrame
      workspace={workspace}
      route={route}
      tools={
        <>
          {Updates && <Updates live={live} />}
          <Totals board={board} />
        </>
      }
      pager={
        isGrouped || total <= limit
          ? null
          : {
              offset,
              limit,
              total,
              isExact: listTotalExact || search.isNarrowed,
              onMove: (to) => void services().router.go(changeRoute(route, { offset: to === 0 ? undefined : to })),
            }
      }
      {...newCard(board)}
    >
      <div class="kanban" ref={box} aria-busy={board.isLoading.value}>
        <Content board={board} box={box} />
      </div>
    </ViewFrame>
  )
}

/** New begins in the first open column; without columns the frame opens the form. */
function newCard(board: Board): { onNew?: () => void } {
  const first = board.columns.value.find((column) => !column.isFolded.value)
  if (!first || !board.arch.hasQuickCreate) return {}
  return {
    onNew: () => {
      board.creating.value = first.key
    },
  }
}

/** Cards must not move under the pointer or the focus, nor while one is being dragged or entered. */
const isHeld = (board: Board, { key }: BoardColumn, box: HTMLElement | null): boolean =>
  board.lifted.peek() !== null ||
  board.creating.peek() !== null ||
  box?.querySelector(`[data-column="${CSS.escape(key)}"]:is(:hover, :focus-within)`) != null

function Content({ board, box }: { readonly board: Board; readonly box: { readonly current: HTMLElement | null } }) {
  const error = board.error.value
  const isGrouped = board.item.value !== ''
  const columns = board.columns.value
  if (error !== null) return <ErrorState error={error} onRetry={board.reload} />
  if (board.isLoading.value && columns.length === 0 && (isGrouped || board.cards.ids.value.value.length === 0)) {
    return (
      <DelayedSkeleton>
        <Waiting />
      </DelayedSkeleton>
    )
  }
  const isEmpty = isGrouped
    ? columns.every(({ stats }) => stats.value.value.count === 0)
    : board.cards.stats.value.value.count === 0
  const press = (event: KeyboardEvent) => box.current && pressOnBoard(board, box.current, event)
  if (isEmpty && board.creating.value === null && (columns.length === 0 || isSearched(board)))
    return <EmptyState workspace={board.workspace.value} route={services().router.route.value} {...newCard(board)} />
  return isGrouped ? (
    <div
      class="board"
      role="region"
      aria-label={board.workspace.value.title}
      data-scroll="board"
      data-lifted={board.lifted.value?.by}
      onKeyDown={press}
      onFocusOut={({ currentTarget, relatedTarget }) => {
        const isOut = !(relatedTarget instanceof Node) || !currentTarget.contains(relatedTarget)
        if (isOut && board.lifted.peek()?.by === 'keys') void cardMoves.load().then(({ putBack }) => putBack(board))
      }}
    >
      {columns.map((column) => (
        <ColumnView key={column.key} board={board} column={column} />
      ))}
      {columns.length >= MAX_COLUMNS && (
        <p class="nothing">{t('Only the first {n} groups are shown.', { n: MAX_COLUMNS })}</p>
      )}
      {mayAddColumn(board) && <AddColumn board={board} />}
    </div>
  ) : (
    <Grid board={board} press={press} />
  )
}

/** Of the window, in square pixels: a card has about two lines, and the window more than cards. */
const CARD_AREA = 40_000

function Grid({ board, press }: { readonly board: Board; readonly press: (event: KeyboardEvent) => void }) {
  const { cards } = board
  const ids = cards.ids.value.value
  const current = cards.current.value
  const first = current !== null && ids.includes(current) ? current : ids[0]
  const [drawn, scroller] = useFirstCards(ids, (innerWidth * innerHeight) / CARD_AREA)
  return (
    <div class="scroll" data-scroll="board" ref={scroller}>
      <div class="cardgrid" role="list" aria-label={board.workspace.value.title} data-column="" onKeyDown={press}>
        {drawn.map((id) => (
          <Card key={id} board={board} column={cards} id={id} isCurrent={id === first} />
        ))}
      </div>
    </div>
  )
}

const isSearched = (board: Board): boolean =>
  board.workspace.value.searchDomain.length > 0 || board.search.value.isNarrowed

const mayAddColumn = ({ arch, field, item, mayMove }: Board): boolean => {
  const target = arch.related[item.value]
  return arch.hasGroupCreate && mayMove.value && field.value?.type === 'many2one' && target?.access.create === true
}

/** The skeleton of a board while its columns are loading. */
const Waiting = () => (
  <div class="board" aria-hidden="true">
    {[4, 3, 2, 3].map((cards, column) => (
      <div key={column} class="col">
        <header>
          <span class="sk" />
        </header>
        <div class="cards">
          {Array.from({ length: cards }, (_, card) => (
            <div key={card} class="card waiting">
              <span class="sk" />
              <span class="sk" />
            </div>
          ))}
        </div>
      </div>
    ))}
  </div>
)

/** The total number of cards, and their sum. */
function Totals({ board }: { readonly board: Board }) {
  const columns = board.columns.value
  const { sum: field } = board.arch
  if (board.item.value === '' || columns.length === 0) return null
  const count = columns.reduce((total, { stats }) => total + stats.value.value.count, 0)
  return (
    <span class="t2 wide totals">
      {tn(count, '{n} card', '{n} cards')}
      {field?.type === 'monetary' && (
        <>
          ,{' '}
          <b>
            <Sums board={board} of={columns} />
          </b>
        </>
      )}
    </span>
  )
}

/** Remembers the cards in their order for previous and next in the form. */
function usePagerRecords(board: Board): void {
  useSignalEffect(() => {
    const isGrouped = board.item.value !== ''
    const columns = isGrouped ? board.columns.value : [board.cards]
    const ids = [...new Set(columns.flatMap((column) => column.ids.value.value))]
    if (ids.length === 0) return
    const { domain } = board.search.value
    const count = columns.reduce((sum, { stats }) => sum + stats.value.value.count, 0)
    rememberPagerRecords({
      model: board.arch.model,
      ids,
      offset: 0,
      total: isGrouped && ids.length < count ? null : count,
      domain,
      order: board.order() ?? '',
    })
  })
}

/** The key that moves the focus into the cards. Those of cards are only listed in the overview; the cards handle them. */
function useKeys(board: Board, box: { readonly current: HTMLElement | null }): void {
  const mayLift = board.mayMove.value || board.mayOrder.value
  useEffect(() => {
    const group = t('Board')
    const enter = () => {
      const card = box.current?.querySelector<HTMLElement>('[data-card] h3 a[tabindex="0"]')
      if (!card || !isFocusNowhere()) return false
      card.focus()
      return true
    }
    const told = [
      { keys: 'arrowright', label: t('Next column') },
      { keys: 'arrowdown', label: t('Into the cards, next card'), run: enter },
      { keys: 'enter', label: t('Open the card') },
      ...(mayLift ? [{ keys: 'm', label: t('Lift the card and put it down') }] : []),
    ]
    const stops = told.map((each) => hotkeys.add({ run: () => false, ...each, group }))
    return () => {
      for (const stop of stops) stop()
    }
  }, [mayLift])
}

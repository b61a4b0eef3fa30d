import { useEffect, useRef } from 'preact/hooks'
import { holds } from '../../../core/expression.ts'
import { t } from '../../../core/i18n.ts'
import { type RecordEntry, valuesOf, type Writer, writerOf } from '../../../store/records.ts'
import { hueOf } from '../../../ui/avatar.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { MenuButton } from '../../../ui/menu.tsx'
import { useRecentChanges } from '../../../ui/recent-changes.ts'
import type { Board, BoardColumn } from '../model/board.ts'
import { cardMoves } from '../model/card-moves.ts'
import { cardTitle } from '../model/title.ts'
import { cardScope, drawLines, drawTitle } from './card-content.tsx'

interface CardProps {
  readonly board: Board
  readonly column: BoardColumn
  readonly id: number
  readonly isCurrent: boolean
}

/** One record: the whole card is a link, and it can be dragged. */
export function Card({ board, column, id, isCurrent }: CardProps) {
  const element = useRef<HTMLDivElement>(null)
  const entry = board.entryOf(id)
  const values = valuesOf(entry).value
  const isRecent = useRecentChanges(entry).size > 0
  const isMoved = board.moved.value.has(id)
  const holder = board.held.value.get(id)
  const isLifted = board.lifted.value?.id === id
  const deleted = entry.deleted.value
  const card = cardScope(board.arch, id, values)
  const isFixed = deleted || holds(board.arch.lock, card.scope)
  const mayLift = !isFixed && (board.mayMove.value || board.mayOrder.value)
  const color = values['color']

  useEffect(() => {
    if (!mayLift || !element.current) return
    const lifted = element.current
    let stop: (() => void) | null = null
    let isGone = false
    void cardMoves.load().then(({ makeDraggable }) => {
      if (!isGone) stop = makeDraggable(board, lifted, id, column.key)
    })
    return () => {
      isGone = true
      stop?.()
    }
  }, [board, id, column.key, mayLift])

  // A card that the user deleted or that is hidden is not drawn; the board removes cards that other users deleted.
  if (deleted === true || deleted === 'hidden') return null
  const by: Writer | undefined = deleted || (isMoved ? writerOf(values) : undefined)
  const flag = holder
    ? ([holder.id, t('{name} is dragging', { name: holder.name })] as const)
    : by && ([by[0], deleted ? t('{name} deleted this', { name: by[1] }) : by[1]] as const)
  return (
    <div
      class={classNames(
        'card',
        isLifted && 'lifted',
        (isRecent || isMoved) && 'live',
        holder && 'held',
        deleted && 'gone',
        mayLift && 'movable',
      )}
      role="listitem"
      ref={element}
      data-card={id}
    >
      {typeof color === 'number' && color > 0 && <span class="stripe" data-hue={hueOf(color)} aria-hidden="true" />}
      <h3 aria-level={board.item.value === '' ? 2 : 3}>
        <a
          href={board.hrefOf(id)}
          draggable={false}
          tabIndex={isCurrent ? 0 : -1}
          data-focus={`card-${id}`}
          {...(mayLift && { 'aria-keyshortcuts': 'M' })}
          onFocus={() => {
            column.current.value = id
          }}
        >
          {drawTitle(card)}
        </a>
      </h3>
      {drawLines(card)}
      {!isFixed && <CardMenu board={board} column={column} entry={entry} isCurrent={isCurrent} />}
      {flag && (
        <span class="flag" data-hue={hueOf(flag[0])}>
          {flag[1]}
        </span>
      )}
    </div>
  )
}

interface CardMenuProps {
  readonly board: Board
  readonly column: BoardColumn
  readonly entry: RecordEntry
  readonly isCurrent: boolean
}

/**
 * The menu of a card, which also moves it without dragging. Its dots are in the style sheet: icons of the sprite, one on each of eighty cards,
 * took a quarter of the script of a board.
 */
function CardMenu({ board, column, entry, isCurrent }: CardMenuProps) {
  const { arch } = board
  if (!board.mayMove.value && !arch.mayArchive && !arch.mayDelete) return null
  return (
    <MenuButton
      label={t('Actions for {name}', { name: cardTitle(arch, entry) })}
      iconOnly
      size="sm"
      kind="ghost"
      class="more"
      align="end"
      tabIndex={isCurrent ? 0 : -1}
      items={() => cardMoves.value?.cardMenu(board, column, entry.id) ?? []}
    />
  )
}

import { useEffect, useRef } from 'preact/hooks'
import { t } from '../../../core/i18n.ts'
import { type RecordEntry, valuesOf, writerOf } from '../../../store/records.ts'
import { hueOf } from '../../../ui/avatar.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { MenuButton, type MenuItem } from '../../../ui/menu.tsx'
import { useRecentChanges } from '../../../ui/recent-changes.ts'
import type { Board, BoardColumn } from '../model/board.ts'
import { cardMoves } from '../model/card-moves.ts'
import { cardTitle } from '../model/title.ts'
import { CardLines, CardTitle, cardScope } from './card-content.tsx'

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
  const by = isMoved ? writerOf(values) : undefined
  const isLifted = board.lifted.value?.id === id
  const mayLift = board.mayMove.value || board.mayOrder.value
  const color = values['color']

  useEffect(() => {
    if (!mayLift || !element.current) return
    const card = element.current
    let stop: (() => void) | null = null
    let isGone = false
    void cardMoves.load().then(({ makeDraggable }) => {
      if (!isGone) stop = makeDraggable(board, card, id, column.key)
    })
    return () => {
      isGone = true
      stop?.()
    }
  }, [board, id, column.key, mayLift])

  if (entry.deleted.value) return null
  const card = cardScope(board.arch, id, values)
  return (
    <div
      class={classNames(
        'card',
        isLifted && 'lifted',
        (isRecent || isMoved) && 'live',
        holder && 'held',
        mayLift && 'movable',
      )}
      role="listitem"
      ref={element}
      data-card={id}
    >
      {typeof color === 'number' && color > 0 && <span class="stripe" data-hue={hueOf(color)} aria-hidden="true" />}
      <h3>
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
          <CardTitle card={card} />
        </a>
      </h3>
      <CardLines card={card} />
      <CardMenu board={board} column={column} entry={entry} isCurrent={isCurrent} />
      {holder ? (
        <span class="flag" data-hue={hueOf(holder.id)}>
          {t('{name} is dragging', { name: holder.name })}
        </span>
      ) : (
        by && (
          <span class="flag" data-hue={hueOf(by[0])}>
            {by[1]}
          </span>
        )
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

/** The menu of a card, which also moves it without dragging. */
function CardMenu({ board, column, entry, isCurrent }: CardMenuProps) {
  const { arch } = board
  const { id } = entry
  if (!board.mayMove.value && !arch.mayArchive && !arch.mayDelete) return null
  const items = (): readonly MenuItem[] => {
    const others = board.mayMove.peek() ? board.columns.peek().filter(({ key }) => key !== column.key) : []
    return [
      ...others.map(
        ({ key, label }, index): MenuItem => ({
          label,
          ...(index === 0 && { heading: t('Move to') }),
          icon: 'arrow-right',
          run: () =>
            void cardMoves.load().then(({ moveCard }) => moveCard(board, id, column.key, { column: key, index: 0 })),
        }),
      ),
      ...(arch.mayArchive
        ? [
            {
              label: t('Archive'),
              icon: 'archive' as const,
              isSeparated: others.length > 0,
              run: () => void cardMoves.load().then(({ archiveCard }) => archiveCard(board, id)),
            },
          ]
        : []),
      ...(arch.mayDelete
        ? [
            {
              label: t('Delete'),
              icon: 'trash-2' as const,
              isDanger: true,
              isSeparated: others.length > 0 && !arch.mayArchive,
              run: () => void cardMoves.load().then(({ deleteCard }) => deleteCard(board, id)),
            },
          ]
        : []),
    ]
  }
  return (
    <MenuButton
      label={t('Actions for {name}', { name: cardTitle(arch, entry) })}
      icon="ellipsis"
      iconOnly
      size="sm"
      kind="ghost"
      class="more"
      align="end"
      tabIndex={isCurrent ? 0 : -1}
      items={items}
    />
  )
}

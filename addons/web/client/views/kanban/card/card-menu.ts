import { t } from '../../../core/i18n.ts'
import type { MenuItem } from '../../../ui/menu.tsx'
import type { Board, BoardColumn } from '../model/board.ts'
import { archiveCard, deleteCard, moveCard } from '../move/moves.ts'

/** What a card can do, and its way to each other column. */
export function cardMenu(board: Board, column: BoardColumn, id: number): readonly MenuItem[] {
  const { mayArchive, mayDelete } = board.arch
  const others = board.mayMove.peek() ? board.columns.peek().filter(({ key }) => key !== column.key) : []
  const isSeparated = others.length > 0
  return [
    ...others.map(
      ({ key, label }, index): MenuItem => ({
        label,
        ...(index === 0 && { heading: t('Move to') }),
        icon: 'arrow-right',
        run: () => void moveCard(board, id, column.key, { column: key, index: 0 }),
      }),
    ),
    ...(mayArchive
      ? [{ label: t('Archive'), icon: 'archive', isSeparated, run: () => void archiveCard(board, id) } as const]
      : []),
    ...(mayDelete
      ? [
          {
            label: t('Delete'),
            icon: 'trash-2',
            isDanger: true,
            isSeparated: isSeparated && !mayArchive,
            run: () => deleteCard(board, id),
          } as const,
        ]
      : []),
  ]
}

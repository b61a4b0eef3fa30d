import { t } from '../../../core/i18n.ts'
import { openRecord } from '../../../router/open-record.ts'
import type { MenuItem } from '../../../ui/menu.tsx'
import type { Board, BoardColumn } from '../model/board.ts'

export function columnMenu(board: Board, column: BoardColumn): readonly MenuItem[] {
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

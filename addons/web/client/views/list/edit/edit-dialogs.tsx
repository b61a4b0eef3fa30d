import { t, tn } from '../../../core/i18n.ts'
import type { RecordConflict } from '../../../store/conflict.ts'
import { plainRecord } from '../../../store/plain-record.ts'
import { Button } from '../../../ui/button.tsx'
import { confirm, Dialog, openDialog } from '../../../ui/dialog.tsx'
import type { FieldColumn, ListArch } from '../column/arch.ts'
import { columnText } from '../column/cell.tsx'
import type { RowEdit } from './row-edit.ts'

const columnOf = ({ columns }: ListArch, name: string): FieldColumn | undefined =>
  columns.find((column): column is FieldColumn => column.kind === 'field' && column.key === name)

/** Asks before a change is applied to all selected rows. */
export function askManyRows(
  arch: ListArch,
  { draft, record }: RowEdit,
  names: readonly string[],
  count: number,
): Promise<boolean> {
  const changes = names.flatMap((name) => {
    const column = columnOf(arch, name)
    if (!column) return []
    const text = columnText(column, draft.get(name), record)
    return [t('{field}: {value}', { field: column.label, value: text === '' ? t('empty') : text })]
  })
  return confirm({
    title: tn(count, 'Change {n} record?', 'Change {n} records?'),
    text: changes.join(' · '),
    action: tn(count, 'Change {n} record', 'Change {n} records'),
  })
}

/** Asks which values to keep when another user changed the same fields; null leaves the row unsaved. */
export const askRowConflict = (arch: ListArch, { fields }: RecordConflict): Promise<'mine' | 'theirs' | null> =>
  openDialog<'mine' | 'theirs' | null>((close) => (
    <Dialog
      title={t('Somebody else changed this row')}
      onClose={() => close(null)}
      footer={
        <>
          <Button label={t('Take theirs')} onClick={() => close('theirs')} />
          <Button label={t('Keep mine')} kind="primary" onClick={() => close('mine')} />
        </>
      }
    >
      <table class="tbl conflict">
        <thead>
          <tr>
            <th scope="col">{t('Field')}</th>
            <th scope="col">{t('Mine')}</th>
            <th scope="col">{t('Theirs')}</th>
          </tr>
        </thead>
        <tbody>
          {Object.entries(fields).map(([name, { mine, theirs }]) => {
            const column = columnOf(arch, name)
            const text = (value: unknown) =>
              column ? columnText(column, value, plainRecord({ model: arch.model }, {})) || '–' : String(value ?? '–')
            return (
              <tr key={name}>
                <th scope="row">{column?.label ?? name}</th>
                <td>{text(mine)}</td>
                <td>{text(theirs)}</td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </Dialog>
  ))

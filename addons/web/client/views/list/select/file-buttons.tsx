import { t } from '../../../core/i18n.ts'
import { isNewOffered } from '../../../search/record-links.ts'
import { Button } from '../../../ui/button.tsx'
import type { ListView } from '../model/list-view.ts'
import { exportList } from './export-list.ts'

/** Files out and in: exports the records of the list, imports new ones. */
export function FileButtons({ view: { model } }: { readonly view: ListView }) {
  const workspace = model.workspace.value
  return (
    <>
      {isNewOffered(workspace) && (
        <Button
          label={t('Import')}
          icon="upload"
          iconOnly
          kind="ghost"
          hasPopup="dialog"
          onClick={() =>
            void import('../../import/upload-dialog.tsx').then(({ importInto }) =>
              importInto(workspace, fieldsToFill(model)),
            )
          }
        />
      )}
      {workspace.arch.exportable === true && (
        <Button
          label={t('Export')}
          icon="download"
          iconOnly
          kind="ghost"
          hasPopup="dialog"
          onClick={() => void exportList(model)}
        />
      )}
    </>
  )
}

/** The fields of the list that a file can hold. */
const fieldsToFill = ({ columns }: ListView['model']): readonly string[] =>
  columns.peek().flatMap((column) => (column.kind === 'field' && !column.field.readonly ? [column.field.name] : []))

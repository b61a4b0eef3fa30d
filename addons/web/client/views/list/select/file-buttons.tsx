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
        <span class="wide">
          <Button
            label={t('Import')}
            icon="upload"
            iconOnly
            kind="ghost"
            hasPopup="dialog"
            onClick={() =>
              void import('../../import/upload-dialog.tsx').then(({ importInto }) => importInto(workspace.model))
            }
          />
        </span>
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

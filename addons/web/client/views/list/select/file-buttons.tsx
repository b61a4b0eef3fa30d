import { useEffect } from 'preact/hooks'
import { t } from '../../../core/i18n.ts'
import { changeRoute } from '../../../router/codec.ts'
import { isNewOffered } from '../../../search/record-links.ts'
import { services } from '../../../services.ts'
import { Button } from '../../../ui/button.tsx'
import type { ListView } from '../model/list-view.ts'
import { exportList } from './export-list.ts'

/** Files out and in: exports the records of the list, imports new ones. */
export function FileButtons({ view: { model } }: { readonly view: ListView }) {
  const workspace = model.workspace.value
  const mayImport = isNewOffered(workspace)
  const route = model.route.value
  const chooseFile = async () => {
    const { importInto } = await import('../../import/upload-dialog.tsx')
    await importInto(workspace, fieldsToFill(model))
  }
  // A link elsewhere asks for a file at once; going back to the list does not ask again.
  const isAsked = mayImport && route.state['import'] === '1'
  useEffect(() => {
    if (!isAsked) return
    const asked = changeRoute(route, {}, { import: undefined })
    void services().router.go(asked, { replace: true, isSibling: true }).then(chooseFile)
  }, [isAsked])
  return (
    <>
      {mayImport && (
        <Button
          label={t('Import')}
          icon="upload"
          iconOnly
          kind="ghost"
          hasPopup="dialog"
          onClick={() => void chooseFile()}
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

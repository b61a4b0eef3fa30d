import { useEffect } from 'preact/hooks'
import { deferred } from '../../../core/deferred.tsx'
import { msg, t } from '../../../core/i18n.ts'
import { commands } from '../../../core/registries.ts'
import { changeRoute } from '../../../router/codec.ts'
import { isNewOffered } from '../../../search/record-links.ts'
import { services } from '../../../services.ts'
import { Button } from '../../../ui/button.tsx'
import type { ListView } from '../model/list-view.ts'
import { exportList } from './export-list.ts'

const uploadDialog = deferred(() => import('../../import/upload-dialog.tsx'))

/** Files out and in: exports the records of the list, imports new ones. */
export function FileButtons({ view: { model } }: { readonly view: ListView }) {
  const workspace = model.workspace.value
  const mayImport = isNewOffered(workspace)
  const route = model.route.value
  const chooseFile = async () => {
    const { importInto } = await uploadDialog.load()
    await importInto(workspace, fieldsToFill(model))
  }
  // A link elsewhere asks for a file at once; going back to the list does not ask again.
  const isAsked = mayImport && route.state['import'] === '1'
  useEffect(() => {
    if (!isAsked) return
    const asked = changeRoute(route, {}, { import: undefined })
    void services().router.go(asked, { replace: true, isSibling: true }).then(chooseFile)
  }, [isAsked])
  const isExported = workspace.arch.exportable === true
  useEffect(() => offerExport(model, isExported), [model, isExported])
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
      {isExported && (
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

/** Offers the export to the palette, as long as the list is on screen. */
function offerExport(model: ListView['model'], isExported: boolean): () => void {
  let isHere = isExported
  commands.add('list.export', {
    label: msg('Export this list'),
    icon: 'download',
    search: msg('CSV, Excel, PDF, download'),
    available: () => isHere,
    run: () => exportList(model),
  })
  return () => {
    isHere = false
  }
}

/** The fields of the list that a file can hold. */
const fieldsToFill = ({ columns }: ListView['model']): readonly string[] =>
  columns.peek().flatMap((column) => (column.kind === 'field' && !column.field.readonly ? [column.field.name] : []))

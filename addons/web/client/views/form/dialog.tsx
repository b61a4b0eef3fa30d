import './dialog.css'
import './sheet.css'
import './view.css'
import { untracked } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import type { WireWorkspace } from '../../../../../kernel/view/wire.ts'
import { hotkeys } from '../../core/hotkeys.ts'
import { t } from '../../core/i18n.ts'
import { fetchWorkspace } from '../../net/workspace.ts'
import type { RecordRequest } from '../../router/open-record.ts'
import { services } from '../../services.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, openDialog } from '../../ui/dialog.tsx'
import { showError } from '../../ui/toasts.tsx'
import { formParts } from './model/deferred-parts.ts'
import { createForm } from './model/model.ts'
import { askLeave } from './save/leave.tsx'
import { saveForm } from './save/save.ts'
import { Sheet } from './sheet/sheet.tsx'

type Saved = readonly [id: number, name: string]

let opened = 0

/**
 * Loads the form of a record and opens it in a dialog. Resolves with the saved record, or null if the dialog was
 * cancelled.
 */
export async function openFormDialog(request: RecordRequest): Promise<Saved | null> {
  const { transport, session, records } = services()
  const { model, id } = request
  const query = new URLSearchParams({
    model,
    view_type: 'form',
    ...(id !== undefined && { id: String(id), edit: '1' }),
  })
  try {
    const workspace = await fetchWorkspace(transport, session.bootstrap.wcApiBase, query.toString())
    records.put(workspace.model, workspace.records)
    return await openDialog<Saved | null>((close) => (
      <FormDialog workspace={workspace} request={request} onClose={close} />
    ))
  } catch (error) {
    showError(error)
    return null
  }
}

interface FormDialogProps {
  readonly workspace: WireWorkspace
  readonly request: RecordRequest
  readonly onClose: (saved: Saved | null) => void
}

function FormDialog({ workspace, request, onClose }: FormDialogProps) {
  const form = useMemo(
    () =>
      untracked(() =>
        createForm({ workspace, prefix: `d${++opened}`, ...(request.defaults && { defaults: request.defaults }) }),
      ),
    [],
  )
  const { records } = services()
  const OthersChanges = formParts.value?.OthersChanges
  const nameOf = (id: number) => String(records.peek(workspace.model, id)?.values.base.peek()['display_name'] ?? '')

  async function save(): Promise<void> {
    const id = await saveForm(form, () => void save())
    if (id === null) return
    if (form.entry) onClose([id, nameOf(id)])
    else {
      const [row] = await services().rpc.read(workspace.model, [id], ['display_name'])
      onClose([id, String(row?.['display_name'] ?? '')])
    }
  }
  async function close(): Promise<void> {
    if (!form.isDirty.peek() || (await askLeave(form))) onClose(null)
  }

  useEffect(() => {
    const stop = hotkeys.add({ keys: 'mod+s', label: t('Save'), run: () => void save() })
    return () => {
      stop()
      form.stop()
    }
  }, [])

  const title = request.title ?? (form.id === null ? t('New: {name}', { name: workspace.title }) : nameOf(form.id))
  return (
    <Dialog
      title={title}
      class="form-dialog"
      onClose={() => void close()}
      footer={
        <>
          <Button label={form.mayEdit ? t('Discard') : t('Close')} onClick={() => void close()} />
          {form.mayEdit && !form.entry?.deleted.value && (
            <Button
              label={t('Save')}
              kind="primary"
              keys="mod+s"
              isBusy={form.isSaving.value}
              disabled={form.isSaving.value}
              onClick={() => void save()}
            />
          )}
        </>
      }
    >
      <Sheet form={form} />
      {OthersChanges && <OthersChanges form={form} />}
    </Dialog>
  )
}

import type { ArchNode } from '../../../../../../kernel/view/arch/arch.ts'
import { deferred } from '../../../core/deferred.tsx'
import { fetchWorkspace } from '../../../net/workspace.ts'
import { openRecord } from '../../../router/open-record.ts'
import { services } from '../../../services.ts'
import { showError } from '../../../ui/toasts.tsx'
import type { FormModel } from '../model/model.ts'
import { openSaved } from '../model/navigate.ts'
import { refreshForm, saveForm, showSaveError } from '../save/save.ts'

const questions = deferred(() => import('../../shared/act/ask-before.tsx'))

/** Runs a button of the arch. Unsaved changes are saved first, so that the action works on the values on screen. */
export async function runFormButton(form: FormModel, node: ArchNode): Promise<void> {
  const { name = '', type, special } = node.attrs
  if (special === 'cancel') return form.discard()
  if (special === 'save') return await saveAndOpen(form)
  if (form.running.peek() !== null) return
  const { askBefore, actOnOne, focusActions } = await questions.load()
  const vals = await askBefore(node.attrs)
  if (vals === null || form.running.peek() !== null) return
  form.running.value = name
  let { id } = form
  try {
    if (id === null || form.isDirty.peek()) id = await saveForm(form, () => void runFormButton(form, node))
    if (id === null) return
    if (type === 'action') {
      if (form.id === null) await openSaved(form, id)
      return await openAction(Number(name))
    }
    const saved = id
    const tell = await actOnOne(form.draft.model, saved, node.attrs, vals)
    if (tell === null) return
    if (form.id === null) await openSaved(form, saved)
    else await refreshForm(form, saved)
    focusActions()
    tell(() => refreshForm(form, saved))
  } catch (error) {
    if (form.id !== null || id === null) return showSaveError(form, error, () => void runFormButton(form, node))
    // The record has been created, so its own form opens: pressing the button again must not create a second one.
    await openSaved(form, id)
    showError(error)
  } finally {
    form.running.value = null
  }
}

/** Saves the form. After a new record is created, its own form replaces this one. */
async function saveAndOpen(form: FormModel): Promise<void> {
  const id = await saveForm(form, () => void saveAndOpen(form))
  if (id !== null && form.id === null) await openSaved(form, id)
}

/** Opens an action; one with the target `new` opens in a dialog. */
async function openAction(action: number): Promise<void> {
  const { transport, session, router } = services()
  const workspace = await fetchWorkspace(transport, session.bootstrap.wcApiBase, `action=${action}`)
  if (workspace.target === 'new')
    await openRecord({ model: workspace.model, defaults: workspace.defaults, title: workspace.title })
  else await router.go(`/web?action=${action}`, { force: true })
}

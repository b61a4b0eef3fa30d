import './sheet.css'
import './view.css'
import { untracked } from '@preact/signals'
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import { holds } from '../../core/expression.ts'
import { blurEditor, hotkeys } from '../../core/hotkeys.ts'
import { t } from '../../core/i18n.ts'
import type { ViewProps } from '../../core/registries.ts'
import { takePrefilled } from '../../router/open-record.ts'
import { services } from '../../services.ts'
import { classNames } from '../../ui/class-names.ts'
import { Aside } from './chatter/messages.tsx'
import { Header, isPrimary } from './header/header.tsx'
import { formParts } from './model/deferred-parts.ts'
import { createForm, type FormModel } from './model/model.ts'
import { openSaved } from './model/navigate.ts'
import { discardForm } from './save/discard.ts'
import { focusFirst } from './save/focus.ts'
import { askLeave } from './save/leave.tsx'
import { takePendingChanges } from './save/pending-changes.ts'
import { saveForm } from './save/save.ts'
import { SaveBar } from './save/save-bar.tsx'
import { Sheet } from './sheet/sheet.tsx'

/** The form of one record, editable right away for users who may write. */
export function View({ workspace, reload }: ViewProps) {
  const root = useRef<HTMLDivElement>(null)
  const form = useMemo(
    () =>
      untracked(() => {
        const copy = workspace.recordId === 0 ? takePrefilled(workspace.model) : null
        const later = takePendingChanges(workspace.model, workspace.recordId)
        return createForm({
          workspace,
          prefix: 'f',
          isKept: true,
          ...(later && { later }),
          ...(copy && { defaults: copy, isTouched: true }),
        })
      }),
    [],
  )
  const { router } = services()
  /** The element of the sheet that had the focus last. */
  const place = useRef<HTMLElement | null>(null)

  async function save(): Promise<void> {
    if (form.id !== null && (!form.isDirty.peek() || form.entry?.deleted.peek())) return
    const before = form.entry?.values.base.peek()['display_name']
    const id = await saveForm(form, () => void save())
    if (id === null) return
    returnToSheet()
    if (form.id === null) await openSaved(form, id)
    else if (form.entry?.values.base.peek()['display_name'] !== before) await reload()
  }

  /** Returns the focus there when the bar disappears, except where that would open an on-screen keyboard. */
  function returnToSheet(): void {
    const { activeElement } = document
    const isAway = activeElement === document.body || activeElement?.closest('.savebar')
    if (isAway && !matchMedia('(pointer: coarse)').matches) place.current?.focus({ preventScroll: true })
  }

  function discard(): void {
    const lines = place.current?.closest('.lines')
    discardForm(form, () => root.current !== null)
    returnToSheet()
    requestAnimationFrame(() => {
      // The element may be gone, such as one of a new line.
      if (document.activeElement === document.body)
        lines?.querySelector<HTMLElement>('[data-line], .addbar button')?.focus()
    })
  }

  // A layout effect, so that shortcuts and the leave guard are active before the first paint.
  useLayoutEffect(() => {
    const stops = [
      router.guards.add(
        () => askLeave(form),
        () => form.isDirty.peek(),
      ),
      hotkeys.add({ keys: 'mod+s', label: t('Save'), group: t('Record'), run: () => void save() }),
      hotkeys.add({
        keys: 'escape',
        label: t('Discard'),
        group: t('Record'),
        // The first Escape only leaves the field, so that a whole form is not discarded by accident.
        run: ({ target }) => (form.isDirty.peek() || form.id === null ? blurEditor(target) || discard() : false),
      }),
      form.stop,
    ]
    if (form.mayEdit && (form.id === null || workspace.formEdit)) focusFirst(root.current)
    return () => {
      for (const stop of stops) stop()
    }
  }, [])

  useEffect(() => {
    // Without these parts the form works, but does not follow other users.
    const following = formParts.load().then(
      ({ attendForm }) => attendForm(form),
      () => undefined,
    )
    return () => void following.then((stop) => stop?.())
  }, [])

  return (
    <div
      class={classNames('formview', hasAside(form) && 'has-aside')}
      ref={root}
      onFocusIn={({ target }) => {
        if (target instanceof HTMLElement && target.closest('.sheet')) place.current = target
      }}
    >
      <div class="view">
        <Header form={form} />
        <div class="scroll" data-scroll="form">
          <Sheet form={form} />
        </div>
        <SaveBar form={form} hasPrimary={hasPrimary(form)} onSave={() => void save()} onDiscard={discard} />
      </div>
      {hasAside(form) && form.id !== null && (
        <Aside model={form.draft.model} id={form.id} mayWrite={form.mayEdit} others={form.others} />
      )}
    </div>
  )
}

const hasAside = ({ arch, id }: FormModel): boolean => arch.hasChatter && id !== null

/** Whether the bar above shows a primary button. For a new record Save is the primary one instead. */
const hasPrimary = ({ arch, id, scope }: FormModel): boolean =>
  id !== null && arch.buttons.some((node) => isPrimary(node) && !holds(node.attrs['invisible'], scope.value))

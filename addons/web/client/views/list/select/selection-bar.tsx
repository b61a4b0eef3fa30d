import { useEffect, useState } from 'preact/hooks'
import { type Act, offerActs } from '../../../core/acts.ts'
import { formatInteger } from '../../../core/format.ts'
import { t, tn } from '../../../core/i18n.ts'
import { Button } from '../../../ui/button.tsx'
import { countMatching, countText } from '../model/layout.ts'
import type { ListView } from '../model/list-view.ts'
import { selectionActs } from './selection-acts.ts'

/** Bar with the actions for the selected rows; the palette has them, too. */
export function SelectionBar({ view }: { readonly view: ListView }) {
  const { model } = view
  const [busy, setBusy] = useState('')
  const { selection } = model
  const chosen = selection.ids.value
  const total = countMatching(model.list)
  const isAll = selection.isAll.value
  const figure = countText(model.list)
  const count = isAll ? total : chosen.size
  const title = tn(count, '{n} selected', '{n} selected', { n: isAll ? figure : formatInteger(count) })
  useEffect(
    () =>
      count === 0 ? undefined : offerActs({ title, heading: t('On the selection'), list: () => selectionActs(model) }),
    [title],
  )
  // The focused element may have disappeared with its row or with this bar.
  useEffect(
    () => () => {
      requestAnimationFrame(() => document.activeElement === document.body && view.focusGrid())
    },
    [view],
  )
  if (!selection.isAny.value) return null
  const run = async ({ name, run: act }: Act) => {
    if (busy !== '') return
    setBusy(name)
    await act()
    setBusy('')
  }
  return (
    <div class="selbar" role="toolbar" aria-label={t('Selection')} tabIndex={-1}>
      <span class="n" aria-live="polite">
        {title}
      </span>
      {!isAll && chosen.size < total && (
        <Button
          label={t('Select all {n}', { n: figure })}
          kind="ghost"
          size="sm"
          class="link-btn wide"
          onClick={({ currentTarget }) => {
            selection.all(model.loadedIds())
            // This button disappears; from the bar Tab goes on to the actions.
            ;(currentTarget as HTMLElement).parentElement?.focus()
          }}
        />
      )}
      <span class="sep" />
      {selectionActs(model)
        // Actions that need a user, such as assigning, are only offered in the palette.
        .filter(({ asks }) => asks === undefined)
        .map((act) => (
          <Button
            key={act.name}
            label={act.label}
            icon={act.icon}
            {...(act.isDanger ? { kind: 'warn', class: 'ghost' } : { kind: 'ghost' })}
            isBusy={busy === act.name}
            // The running action stays enabled, so that its dialog can return the focus to it.
            disabled={busy !== '' && busy !== act.name}
            onClick={() => void run(act)}
          />
        ))}
      <span class="sep" />
      <Button
        label={t('Clear selection')}
        icon="x"
        iconOnly
        kind="ghost"
        keys="escape"
        onClick={() => selection.clear()}
      />
    </div>
  )
}

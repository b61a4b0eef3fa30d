import { useEffect, useState } from 'preact/hooks'
import { hotkeys } from '../../../core/hotkeys.ts'
import { t, tn } from '../../../core/i18n.ts'
import { services } from '../../../services.ts'
import { Button } from '../../../ui/button.tsx'
import { confirm } from '../../../ui/dialog.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { showError } from '../../../ui/toasts.tsx'
import type { Arranging } from '../model/arranging.ts'
import type { Dashboard, DashboardRecord } from '../model/dashboard.ts'

interface EditBarProps {
  readonly dashboard: Dashboard
  readonly record: DashboardRecord
  readonly arranging: Arranging
  readonly isAdding: boolean
  readonly onAdd: () => void
}

/** Replaces the filters while the dashboard is arranged. */
export function EditBar({ dashboard, record, arranging, isAdding, onAdd }: EditBarProps) {
  const [isBusy, setBusy] = useState(false)
  async function save(): Promise<void> {
    setBusy(true)
    try {
      await arranging.save()
      dashboard.stopEditing()
    } catch (error) {
      setBusy(false)
      showError(error)
    }
  }
  useEffect(() => {
    const stops = [
      hotkeys.add({ keys: 'mod+enter', label: t('Done'), group: t('Dashboard'), run: () => void save() }),
      hotkeys.add({ keys: 'mod+z', label: t('Undo'), group: t('Dashboard'), run: arranging.undo }),
      hotkeys.add({ keys: 'mod+shift+z', label: t('Redo'), group: t('Dashboard'), run: arranging.redo }),
      hotkeys.add({ keys: 'a', label: t('Add tile'), group: t('Dashboard'), run: onAdd }),
      services().router.guards.add(mayDiscard, () => arranging.isChanged.peek()),
    ]
    return () => {
      for (const stop of stops) stop()
    }
  }, [arranging, onAdd])
  const count = arranging.tiles.value.length
  return (
    <div class="ctlbar dt-editbar" role="toolbar" aria-label={t('Edit dashboard')}>
      <span class="badge accent">
        <Icon name="pencil" />
        {t('Editing')}
      </span>
      <span class="t2 wide">
        {tn(count, '{n} tile', '{n} tiles')}
        {record.isShared && `, ${t('seen by everybody')}`}
      </span>
      <div class="end">
        <Button
          label={t('Undo')}
          icon="undo-2"
          iconOnly
          kind="ghost"
          keys="mod+z"
          disabled={!arranging.canUndo.value}
          onClick={arranging.undo}
        />
        <Button
          label={t('Redo')}
          icon="redo-2"
          iconOnly
          kind="ghost"
          keys="mod+shift+z"
          disabled={!arranging.canRedo.value}
          onClick={arranging.redo}
        />
        <Button label={t('Add tile')} icon="plus" keys="a" expanded={isAdding} onClick={onAdd} />
        <Button label={t('Discard')} kind="ghost" onClick={dashboard.stopEditing} />
        <Button label={t('Done')} kind="primary" keys="mod+enter" isBusy={isBusy} onClick={() => void save()} />
      </div>
    </div>
  )
}

const mayDiscard = (): Promise<boolean> =>
  confirm({
    title: t('Discard the changes to this dashboard?'),
    action: t('Discard'),
    isDanger: true,
  })

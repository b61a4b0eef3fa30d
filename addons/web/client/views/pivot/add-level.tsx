import { useState } from 'preact/hooks'
import type { WireField } from '../../../../../kernel/view/wire.ts'
import { t } from '../../core/i18n.ts'
import { Menu, type MenuItem } from '../../ui/menu.tsx'
import { isDay } from '../shared/analysis/group-items.ts'
import { INTERVAL_LABELS, INTERVALS } from '../shared/analysis/intervals.ts'

interface AddLevelProps {
  readonly fields: readonly WireField[]
  /** Items of both axes, which are not offered again. */
  readonly used: readonly string[]
  readonly anchor: { readonly current: HTMLElement | null }
  readonly onChoose: (item: string) => void
  readonly onClose: () => void
}

/** The fields a further level can be grouped by; a date asks for its interval. */
export function AddLevel({ fields, used, anchor, onChoose, onClose }: AddLevelProps) {
  const [unfolded, setUnfolded] = useState<string | null>(null)
  const items = fields
    .filter(({ groupable }) => groupable)
    .toSorted((a, b) => a.label.localeCompare(b.label))
    .flatMap((field): readonly MenuItem[] => {
      if (!isDay(field))
        return used.includes(field.name) ? [] : [{ label: field.label, run: () => onChoose(field.name) }]
      const isUnfolded = unfolded === field.name
      const intervals = INTERVALS.filter((interval) => !used.includes(`${field.name}:${interval}`))
      return [
        {
          label: field.label,
          icon: 'calendar',
          expanded: isUnfolded,
          run: () => setUnfolded(isUnfolded ? null : field.name),
        },
        ...(isUnfolded ? intervals : []).map((interval) => ({
          label: t(INTERVAL_LABELS[interval]),
          isNested: true,
          run: () => onChoose(`${field.name}:${interval}`),
        })),
      ]
    })
  return <Menu items={items} label={t('Group by')} anchor={anchor} onClose={onClose} />
}

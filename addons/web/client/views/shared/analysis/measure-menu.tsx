import type { WireField } from '../../../../../../kernel/view/wire.ts'
import { t } from '../../../core/i18n.ts'
import type { Route } from '../../../router/codec.ts'
import { Icon } from '../../../ui/icon.tsx'
import { MenuButton } from '../../../ui/menu.tsx'
import { changeFragment } from '../fragment.ts'
import { findMeasure, measureChoices } from './measures.ts'

interface MeasureMenuProps {
  readonly route: Route
  readonly fields: readonly WireField[]
  /** Keys of what is shown. */
  readonly active: readonly string[]
  /** Only what adds up. */
  readonly isSumOnly?: boolean
  /** Called with the key that was chosen; by default it is the only one from then on. */
  readonly onChoose?: (key: string) => void
}

/** Chooses what is measured. */
export function MeasureMenu({ route, fields, active, isSumOnly = false, onChoose }: MeasureMenuProps) {
  const choose = onChoose ?? ((key: string) => changeFragment(route, { measure: key }))
  const [first = ''] = active
  const isSingle = onChoose === undefined
  return (
    <MenuButton
      label={isSingle ? (findMeasure(fields, first)?.label ?? t('Measure')) : t('Measures')}
      icon="sigma"
      class="measure"
      align="end"
      items={() =>
        measureChoices(fields)
          .filter(({ isSum }) => isSum || !isSumOnly)
          .map(({ key, label, aggregate }, index, all) => ({
            label,
            [isSingle ? 'isChosen' : 'checked']: active.includes(key),
            ...(index > 0 && aggregate !== all[index - 1]?.aggregate && { isSeparated: true }),
            run: () => choose(key),
          }))
      }
    >
      <Icon name="chevron-down" size="s" />
    </MenuButton>
  )
}

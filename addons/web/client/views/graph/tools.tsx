import type { WireWorkspace } from '../../../../../kernel/view/wire.ts'
import { msg, t } from '../../core/i18n.ts'
import type { Route } from '../../router/codec.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { MenuButton } from '../../ui/menu.tsx'
import { ChoiceMenu } from '../shared/analysis/choice-menu.tsx'
import { IntervalMenu } from '../shared/analysis/interval-menu.tsx'
import { changeFragment } from '../shared/fragment.ts'
import type { SortOrder } from './chart-data.ts'
import { CHART_KINDS, type ChartKind } from './chart-options.ts'

interface ChartToolsProps {
  readonly workspace: WireWorkspace
  readonly route: Route
  readonly items: readonly string[]
  readonly kind: ChartKind
  readonly isStacked: boolean
  readonly order: SortOrder
  readonly isTable: boolean
  readonly groupFallback: string
  readonly onCsv: () => void
  readonly onPng: () => void
}

const KINDS: Readonly<Record<ChartKind, { readonly label: string; readonly icon: string }>> = {
  bar: { label: msg('Bar chart'), icon: 'chart-column' },
  line: { label: msg('Line chart'), icon: 'chart-line' },
  pie: { label: msg('Pie chart'), icon: 'chart-pie' },
}

const ORDERS: Readonly<Record<SortOrder, string>> = {
  none: msg('In their own order'),
  desc: msg('Largest first'),
  asc: msg('Smallest first'),
}

const ORDER_ICONS = { none: 'arrow-up-down', desc: 'arrow-down', asc: 'arrow-up' } as const

/** How the figures are drawn; all of it is in the fragment. */
export function ChartTools(props: ChartToolsProps) {
  const { workspace, route, items, kind, isStacked, order, isTable, groupFallback } = props
  return (
    <span class="end">
      <span class="seg" role="group" aria-label={t('Kind of chart')}>
        {CHART_KINDS.map((each) => (
          <button
            key={each}
            type="button"
            class="ico"
            aria-pressed={!isTable && each === kind}
            aria-label={t(KINDS[each].label)}
            data-tip={t(KINDS[each].label)}
            onClick={() => changeFragment(route, { chart: each, table: undefined })}
          >
            <Icon name={KINDS[each].icon} />
          </button>
        ))}
        <button
          type="button"
          class="ico"
          aria-pressed={isTable}
          aria-label={t('Table')}
          data-tip={t('Table')}
          onClick={() => changeFragment(route, { table: '1' })}
        >
          <Icon name="table" />
        </button>
      </span>
      {items.length > 1 && (
        <Button
          label={t('Stacked')}
          icon="layers"
          kind="ghost"
          size="sm"
          pressed={isStacked}
          disabled={isTable || kind === 'pie'}
          onClick={() => changeFragment(route, { stacked: isStacked ? '0' : '1' })}
        />
      )}
      <IntervalMenu workspace={workspace} route={route} items={items} groupFallback={groupFallback} />
      <ChoiceMenu
        choices={ORDERS}
        active={order}
        icon={ORDER_ICONS[order]}
        label={t('Sort')}
        onChoose={(each) => changeFragment(route, { order: each === 'none' ? undefined : each })}
      />
      <MenuButton
        label={t('Download')}
        icon="download"
        iconOnly
        kind="ghost"
        size="sm"
        align="end"
        items={() => [
          ...(isTable ? [] : [{ label: t('Picture (PNG)'), icon: 'image', run: props.onPng } as const]),
          { label: t('Table (CSV)'), icon: 'file-spreadsheet', run: props.onCsv },
        ]}
      />
    </span>
  )
}

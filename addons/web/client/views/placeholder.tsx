import { t } from '../core/i18n.ts'
import { type ViewProps, views } from '../core/registries.ts'
import { ViewFrame } from '../search/view-frame.tsx'
import { Button } from '../ui/button.tsx'
import { Empty } from '../ui/empty.tsx'
import { VIEW_ICONS } from '../ui/view-icons.ts'

/** Shown for a kind of view that no code draws: says so and offers another view. */
export function View({ workspace, route }: ViewProps) {
  const drawn = workspace.viewTabs.filter(({ mode, active }) => !active && views.get(mode) !== undefined)
  const other = drawn.find(({ mode }) => mode === 'list') ?? drawn[0]
  const label = workspace.viewTabs.find(({ active }) => active)?.label ?? workspace.viewType
  return (
    <ViewFrame workspace={workspace} route={route} pager={null}>
      <div class="scroll">
        <Empty
          icon={VIEW_ICONS[workspace.viewType] ?? 'layout-grid'}
          title={t('{view} cannot be drawn', { view: label })}
          text={t('The records are all there, but nothing that is installed draws this kind of view.')}
          actions={
            other && <Button label={t('Open the {view}', { view: other.label })} kind="primary" href={other.href} />
          }
        />
      </div>
    </ViewFrame>
  )
}

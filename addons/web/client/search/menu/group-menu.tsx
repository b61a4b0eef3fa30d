import type { WireWorkspace } from '../../../../../kernel/view/wire.ts'
import { t } from '../../core/i18n.ts'
import type { Route } from '../../router/codec.ts'
import { Button } from '../../ui/button.tsx'
import { Dropdown } from '../../ui/dropdown.tsx'
import { groupItemLabel } from '../query/facets.ts'
import { searchOf } from '../query/search-model.ts'

export interface GroupMenuProps {
  readonly workspace: WireWorkspace
  readonly route: Route
  readonly groupFallback: string
  /** Whether the view supports only one grouping at a time. */
  readonly isSingle: boolean
}

/** Button that opens the grouping menu; not rendered if there is nothing to group by. */
export function GroupMenu(props: GroupMenuProps) {
  const { workspace, route, groupFallback, isSingle } = props
  const isOffered =
    workspace.search.filters.some(({ groupBy }) => groupBy !== undefined) ||
    workspace.arch.fields.some(({ groupable }) => groupable)
  if (!isOffered) return null
  const [first] = isSingle ? searchOf(workspace, route).groupBy(groupFallback) : []
  return (
    <Dropdown
      trigger={({ anchor, isOpen, toggle }) => (
        <Button
          label={first === undefined ? t('Group') : t('Group: {field}', { field: groupItemLabel(workspace, first) })}
          icon="rows-3"
          kind="ghost"
          hasPopup="menu"
          expanded={isOpen}
          buttonRef={anchor}
          onClick={toggle}
        />
      )}
      draw={({ GroupItems }, layer) => <GroupItems {...props} layer={layer} />}
    />
  )
}

import type { WireWorkspace } from '../../../../../kernel/view/wire.ts'
import { t } from '../../core/i18n.ts'
import type { Route } from '../../router/codec.ts'
import { Button } from '../../ui/button.tsx'
import { Dropdown } from '../../ui/dropdown.tsx'

/** Button that opens the filter menu. */
export const FilterMenu = (props: { readonly workspace: WireWorkspace; readonly route: Route }) => (
  <Dropdown
    trigger={({ anchor, isOpen, toggle }) => (
      <Button
        label={t('Filter')}
        icon="list-filter"
        kind="ghost"
        hasPopup="menu"
        expanded={isOpen}
        buttonRef={anchor}
        onClick={toggle}
      />
    )}
    draw={({ FilterItems }, layer) => <FilterItems {...props} layer={layer} />}
  />
)

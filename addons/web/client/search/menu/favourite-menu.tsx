import type { WireWorkspace } from '../../../../../kernel/view/wire.ts'
import { t } from '../../core/i18n.ts'
import type { Route } from '../../router/codec.ts'
import { Button } from '../../ui/button.tsx'
import { Dropdown } from '../../ui/dropdown.tsx'
import { favouritesAt } from '../query/favourites.ts'
import { readSearchState } from '../query/search-state.ts'

/** Button that opens the saved searches, highlighted while one of them is applied. */
export function FavouriteMenu(props: { readonly workspace: WireWorkspace; readonly route: Route }) {
  const { workspace, route } = props
  const { favourite } = readSearchState(route.state)
  const isOn = favouritesAt(workspace.model, workspace.actionId).some(({ id }) => id === favourite)
  return (
    <Dropdown
      trigger={({ anchor, isOpen, toggle }) => (
        <Button
          label={t('Favourites')}
          icon="star"
          iconOnly
          kind="ghost"
          size="sm"
          {...(isOn && { class: 'starred' })}
          hasPopup="menu"
          expanded={isOpen}
          buttonRef={anchor}
          onClick={toggle}
        />
      )}
      draw={({ FavouriteItems }, layer) => <FavouriteItems {...props} layer={layer} />}
    />
  )
}

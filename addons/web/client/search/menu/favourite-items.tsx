import { useState } from 'preact/hooks'
import type { WireWorkspace } from '../../../../../kernel/view/wire.ts'
import { deferred } from '../../core/deferred.tsx'
import { t } from '../../core/i18n.ts'
import { changeRoute, type Route } from '../../router/codec.ts'
import { services } from '../../services.ts'
import { confirm, openDialog } from '../../ui/dialog.tsx'
import type { Layer } from '../../ui/dropdown.tsx'
import { Menu, type MenuItem } from '../../ui/menu.tsx'
import { NameDialog } from '../../ui/name-dialog.tsx'
import { showError, showToast } from '../../ui/toasts.tsx'
import {
  isAsSaved,
  mayChange,
  removeFavourite,
  saveFavourite,
  setDefaultFavourite,
  updateFavourite,
} from '../query/change-favourites.ts'
import { applyFavourite, defaultFavourite, type Favourite, favouritesAt } from '../query/favourites.ts'
import { type LoadedSearch, loadedSearch } from '../query/loaded-search.ts'
import { readSearchState } from '../query/search-state.ts'

const pinDialog = deferred(() => import('../../views/dashboard/pin/pin-dialog.tsx'))

interface FavouriteItemsProps {
  readonly workspace: WireWorkspace
  readonly route: Route
  readonly layer: Layer
}

/** Menu of the saved searches of an action, with a form to save the current search. */
export function FavouriteItems({ workspace, route, layer }: FavouriteItemsProps) {
  const { router } = services()
  const offered = favouritesAt(workspace.model, workspace.actionId)
  const { favourite: active } = readSearchState(route.state)
  const current = offered.find(({ id }) => id === active) ?? defaultFavourite(workspace.model, workspace.actionId)

  const items: readonly MenuItem[] = [
    ...offered.map((favourite) => ({
      label: favourite.name,
      icon: favourite.isShared ? 'users' : 'star',
      checked: isAsSaved(workspace, route, favourite),
      ...(favourite.isDefault && { note: t('Default') }),
      run: () => {
        layer.onClose()
        void router.go(applyFavourite({ ...route, state: {} }, favourite))
      },
    })),
    {
      label: t('Save this search…'),
      icon: 'plus',
      isSeparated: offered.length > 0,
      run: () => void loadedSearch().then(save),
    },
    { label: t('Pin to dashboard…'), icon: 'pin', run: () => void loadedSearch().then(pin) },
    ...(current && mayChange(current)
      ? [
          {
            label: t('Replace “{name}” by this search', { name: current.name }),
            icon: 'save',
            run: () => void change(async () => updateFavourite(await loadedSearch(), current)),
          },
          {
            label: t('Open with “{name}”', { name: current.name }),
            checked: current.isDefault,
            run: () => {
              layer.onClose()
              void change(() => setDefaultFavourite(workspace, current, !current.isDefault))
            },
          },
          {
            label: t('Delete “{name}”', { name: current.name }),
            icon: 'trash-2',
            isDanger: true,
            run: () => void remove(current, route),
          },
        ]
      : []),
  ]
  return <Menu items={items} label={t('Favourites')} {...layer} />
}

async function pin({ workspace, route }: LoadedSearch): Promise<void> {
  const { pinView } = await pinDialog.load()
  await pinView(workspace, route)
}

async function save(search: LoadedSearch): Promise<void> {
  const id = await openDialog<number | null>((close) => <SaveDialog search={search} onDone={close} />)
  if (id === null) return
  showToast({ level: 'success', text: t('Search saved') })
  await services().router.go(changeRoute(search.route, {}, { fav: String(id) }), { replace: true })
}

async function change(work: () => Promise<void>): Promise<void> {
  try {
    await work()
    showToast({ level: 'success', text: t('Search saved') })
  } catch (error) {
    showError(error)
  }
}

async function remove(favourite: Favourite, route: Route): Promise<void> {
  const isMeant = await confirm({
    title: t('Delete “{name}”?', { name: favourite.name }),
    ...(favourite.isShared && { text: t('It is gone for everybody.') }),
    action: t('Delete'),
    isDanger: true,
  })
  if (!isMeant) return
  try {
    await removeFavourite(favourite)
    await services().router.go(changeRoute(route, {}, { fav: undefined }), { replace: true })
  } catch (error) {
    showError(error)
  }
}

interface SaveDialogProps {
  readonly search: LoadedSearch
  readonly onDone: (id: number | null) => void
}

function SaveDialog({ search, onDone }: SaveDialogProps) {
  const [isDefault, setDefault] = useState(false)
  const [isShared, setShared] = useState(false)
  return (
    <NameDialog
      title={t('Save this search')}
      save={async (name) => onDone(await saveFavourite(search, { name, isDefault, isShared }))}
      onClose={() => onDone(null)}
    >
      <div class="stack">
        <label class="opt">
          <input type="checkbox" class="check" checked={isDefault} onChange={() => setDefault(!isDefault)} />
          {t('Open with this search')}
        </label>
        {services().session.bootstrap.user.isAdmin && (
          <label class="opt">
            <input type="checkbox" class="check" checked={isShared} onChange={() => setShared(!isShared)} />
            {t('Offer it to everybody')}
          </label>
        )}
      </div>
    </NameDialog>
  )
}

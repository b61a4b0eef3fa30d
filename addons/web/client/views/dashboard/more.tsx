import { t } from '../../core/i18n.ts'
import { linkOf } from '../../fields/value/values.ts'
import { changeRoute } from '../../router/codec.ts'
import { services } from '../../services.ts'
import { createRecord, searchRead, unlinkRecords, writeRecords } from '../../store/queries.ts'
import { confirm, openDialog } from '../../ui/dialog.tsx'
import { MenuButton, type MenuItem } from '../../ui/menu.tsx'
import { NameDialog } from '../../ui/name-dialog.tsx'
import { showError, showToast } from '../../ui/toasts.tsx'
import { type Dashboard, type DashboardRecord, dashboardRoute, mayArrange } from './model/dashboard.ts'
import { homeDashboard, setHomeDashboard } from './model/home-dashboard.ts'
import { TILE_FIELDS } from './model/tile.ts'

interface MoreProps {
  readonly dashboard: Dashboard
  readonly record: DashboardRecord
}

/** Menu of actions on a whole dashboard. */
export const More = ({ dashboard, record }: MoreProps) => (
  <MenuButton
    label={t('More')}
    icon="ellipsis"
    iconOnly
    kind="ghost"
    align="end"
    items={() => itemsOf(dashboard, record)}
  />
)

function itemsOf(dashboard: Dashboard, record: DashboardRecord): readonly MenuItem[] {
  const { user } = services().session.bootstrap
  const isHome = homeDashboard() === record.id
  const isOwn = record.ownerId === user.id
  const change = (values: Readonly<Record<string, unknown>>) =>
    run(async () => {
      await writeRecords(services().rpc, 'sys.dashboard', [record.id], values)
      await dashboard.load()
    })
  return [
    {
      label: isHome ? t('No longer my home page') : t('Make it my home page'),
      icon: 'house',
      run: () => {
        setHomeDashboard(isHome ? null : record.id)
        showToast({
          level: 'success',
          text: isHome ? t('The home page is as before') : t('This is your home page now'),
        })
      },
    },
    { label: t('New dashboard…'), icon: 'plus', run: () => void run(create) },
    { label: t('Copy'), icon: 'copy', run: () => void run(() => copy(record)) },
    ...(mayArrange(record)
      ? [
          {
            label: t('Rename…'),
            icon: 'pencil',
            isSeparated: true,
            run: () =>
              void askName(t('Rename dashboard'), t('Rename'), record.name).then((name) =>
                name === null ? undefined : change({ name }),
              ),
          },
        ]
      : []),
    ...(isOwn
      ? [
          {
            label: record.isShared ? t('Keep it to myself') : t('Show it to everybody'),
            icon: record.isShared ? 'lock' : 'share-2',
            run: () => void change({ is_shared: !record.isShared }),
          },
        ]
      : []),
    ...(mayArrange(record)
      ? [{ label: t('Delete'), icon: 'trash-2', isDanger: true, run: () => void run(() => remove(record)) }]
      : []),
  ]
}

async function run(work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    showError(error)
  }
}

const open = async (id: number): Promise<void> => {
  const { router } = services()
  await router.go(dashboardRoute(router.route.peek(), id))
}

/** Asks for a name; null if it was cancelled. */
const askName = (title: string, action: string, value: string): Promise<string | null> =>
  openDialog<string | null>((close) => (
    <NameDialog title={title} action={action} value={value} save={close} onClose={() => close(null)} />
  ))

async function create(): Promise<void> {
  const name = await askName(t('New dashboard'), t('Create'), '')
  if (name !== null) await open(await createRecord(services().rpc, 'sys.dashboard', { name }))
}

/** Creates the user's own copy of any visible dashboard; translated names of addons are copied as displayed. */
async function copy({ id, name, period }: DashboardRecord): Promise<void> {
  const { rpc } = services()
  const tiles = await searchRead(rpc, 'sys.dashboard.tile', [['dashboard_id', '=', id]], TILE_FIELDS)
  const tile_ids = tiles.map(({ id: _id, company_field: _of, action_id, ...tile }) => [
    0,
    0,
    { ...tile, action_id: linkOf(action_id)?.id ?? null },
  ])
  await open(await createRecord(rpc, 'sys.dashboard', { name: t('{name} (copy)', { name }), period, tile_ids }))
}

async function remove({ id, name, isShared }: DashboardRecord): Promise<void> {
  const isMeant = await confirm({
    title: t('Delete “{name}”?', { name }),
    ...(isShared && { text: t('It is gone for everybody.') }),
    action: t('Delete'),
    isDanger: true,
  })
  if (!isMeant) return
  if (homeDashboard() === id) setHomeDashboard(null)
  const { router, rpc } = services()
  await unlinkRecords(rpc, 'sys.dashboard', [id])
  await router.go(changeRoute(router.route.peek(), { id: undefined }), { replace: true })
}

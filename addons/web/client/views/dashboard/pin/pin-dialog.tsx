import { useId, useState } from 'preact/hooks'
import type { WireWorkspace } from '../../../../../../kernel/view/wire.ts'
import { t } from '../../../core/i18n.ts'
import type { Route } from '../../../router/codec.ts'
import { services } from '../../../services.ts'
import { createRecord, searchRead } from '../../../store/queries.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog, openDialog } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { showError, showToast } from '../../../ui/toasts.tsx'
import { COUNT, measureChoices } from '../../shared/analysis/measures.ts'
import { useModelFields } from '../../shared/analysis/model-fields.ts'
import { ChoiceField } from '../edit/choice-field.tsx'
import { tileOfView } from '../edit/tile-of-view.ts'
import { type DashboardRecord, loadDashboards, mayArrange } from '../model/dashboard.ts'
import { freePlace, type TilePlace } from '../model/layout.ts'
import { FIGURE, tileValues } from '../model/tile.ts'
import { tileKinds, tileLoader } from '../tile/kinds.ts'

/** Asks to which dashboard the view on screen is pinned, and pins it. */
export async function pinView(workspace: WireWorkspace, route: Route): Promise<void> {
  try {
    const dashboards = (await loadDashboards()).filter(mayArrange)
    const id = await openDialog<number | null>((close) => (
      <PinDialog workspace={workspace} route={route} dashboards={dashboards} onDone={close} />
    ))
    if (id === null) return
    const href = `/web?model=sys.dashboard&view_type=form&id=${id}`
    showToast({
      level: 'success',
      text: t('Pinned to the dashboard'),
      action: { label: t('Open'), run: () => void services().router.go(href) },
    })
  } catch (error) {
    showError(error)
  }
}

interface PinDialogProps {
  readonly workspace: WireWorkspace
  readonly route: Route
  readonly dashboards: readonly DashboardRecord[]
  readonly onDone: (dashboardId: number | null) => void
}

const NEW = 0

function PinDialog({ workspace, route, dashboards, onDone }: PinDialogProps) {
  const kinds = tileKinds().filter(({ kind }) => [workspace.viewType, 'list', FIGURE].includes(kind))
  const [name, setName] = useState(workspace.title)
  const [target, setTarget] = useState(dashboards[0]?.id ?? NEW)
  const [newName, setNewName] = useState('')
  const [kind, setKind] = useState(tileLoader(workspace.viewType) ? workspace.viewType : FIGURE)
  const [measure, setMeasure] = useState(route.state['measure'] ?? COUNT)
  const [isBusy, setBusy] = useState(false)
  const fields = useModelFields(workspace)
  const form = useId()
  const isReady = name.trim() !== '' && (target !== NEW || newName.trim() !== '')

  async function submit(event: Event): Promise<void> {
    event.preventDefault()
    if (!isReady || isBusy) return
    setBusy(true)
    try {
      const { rpc } = services()
      const id = target === NEW ? await createRecord(rpc, 'sys.dashboard', { name: newName.trim() }) : target
      await pin(id, workspace, route, { name: name.trim(), kind, measure })
      onDone(id)
    } catch (error) {
      setBusy(false)
      showError(error)
    }
  }

  return (
    <Dialog
      title={t('Pin to dashboard')}
      onClose={() => onDone(null)}
      footer={
        <>
          <Button label={t('Cancel')} onClick={() => onDone(null)} />
          <Button label={t('Pin')} kind="primary" type="submit" form={form} isBusy={isBusy} disabled={!isReady} />
        </>
      }
    >
      <form id={form} class="fields" onSubmit={(event) => void submit(event)}>
        <TextField label={t('Name')} maxLength={100} value={name} onInput={setName} />
        <ChoiceField
          label={t('Show as')}
          value={kind}
          choices={kinds.map((each) => [each.kind, t(each.label)])}
          onChange={setKind}
        />
        {kind === FIGURE && (
          <ChoiceField
            label={t('Measure')}
            value={measure}
            choices={measureChoices(fields).map((each) => [each.key, each.label])}
            onChange={setMeasure}
          />
        )}
        <ChoiceField
          label={t('Dashboard')}
          value={String(target)}
          choices={[
            ...dashboards.map((each) => [String(each.id), each.name] as const),
            [String(NEW), t('New dashboard…')],
          ]}
          onChange={(id) => setTarget(Number(id))}
        />
        {target === NEW && (
          <TextField label={t('Name of the dashboard')} maxLength={100} value={newName} onInput={setNewName} />
        )}
      </form>
    </Dialog>
  )
}

interface Pinned {
  readonly name: string
  readonly kind: string
  readonly measure: string
}

async function pin(id: number, workspace: WireWorkspace, route: Route, { name, kind, measure }: Pinned): Promise<void> {
  const { rpc } = services()
  const rows = await searchRead(rpc, 'sys.dashboard.tile', [['dashboard_id', '=', id]], ['x', 'y', 'w', 'h'])
  // The server declares them as required numbers.
  const places = rows as unknown as readonly TilePlace[]
  const { size = [4, 4] } = tileKinds().find((each) => each.kind === kind) ?? {}
  const tile = tileOfView(workspace, route)
  const address = kind === FIGURE ? { ...tile.address, measure } : tile.address
  await createRecord(rpc, 'sys.dashboard.tile', {
    ...tileValues({ ...tile, id: 0, name, viewType: kind, address, ...freePlace(places, size[0], size[1]) }),
    dashboard_id: id,
  })
}

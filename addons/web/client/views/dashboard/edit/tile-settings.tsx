import { useId, useState } from 'preact/hooks'
import type { WireWorkspace } from '../../../../../../kernel/view/wire.ts'
import { t } from '../../../core/i18n.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog, openDialog } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { archItems } from '../../shared/analysis/group-items.ts'
import { COUNT, measureChoices } from '../../shared/analysis/measures.ts'
import { useModelFields } from '../../shared/analysis/model-fields.ts'
import type { Arranging } from '../model/arranging.ts'
import { COLUMNS, MAX_HEIGHT, MIN_SIZE, resizeTile } from '../model/layout.ts'
import { FIGURE, type TileRecord } from '../model/tile.ts'
import { ChoiceField } from './choice-field.tsx'

/** Asks for the settings of a tile; they are one step that can be undone, and saved with the rest. */
export async function changeTile(arranging: Arranging, tile: TileRecord, workspace: WireWorkspace): Promise<void> {
  const next = await openDialog<TileRecord | null>((close) => (
    <TileSettings tile={tile} workspace={workspace} onDone={close} />
  ))
  if (next === null) return
  // A tile that becomes too wide for its place moves towards the start.
  const placed = ({ x, y }: TileRecord) => ({ ...next, y, x: Math.min(x, COLUMNS - next.w) })
  const tiles = arranging.tiles.peek().map((each) => (each.id === tile.id ? placed(each) : each))
  arranging.apply(resizeTile(tiles, tile.id, next.w, next.h))
}

/** Kinds that show one measure, named in their address. */
const MEASURED: ReadonlySet<string> = new Set([FIGURE, 'graph', 'cohort'])
const NO_PERIOD = ''

interface TileSettingsProps {
  readonly tile: TileRecord
  readonly workspace: WireWorkspace
  readonly onDone: (tile: TileRecord | null) => void
}

function TileSettings({ tile, workspace, onDone }: TileSettingsProps) {
  const [title, setTitle] = useState(tile.name)
  const [measure, setMeasure] = useState<string | null>(null)
  const [dateField, setDateField] = useState(tile.dateField ?? NO_PERIOD)
  const [w, setWidth] = useState(tile.w)
  const [h, setHeight] = useState(tile.h)
  const fields = useModelFields(workspace)
  const form = useId()
  const name = title.trim()
  const isMeasured = MEASURED.has(tile.viewType)
  const measures = measureChoices(fields).filter(({ isSum }) => isSum || tile.viewType !== 'cohort')
  const dates = fields.filter(({ type, groupable }) => groupable && (type === 'date' || type === 'datetime'))
  const sizes = (most: number) =>
    Array.from({ length: most + 1 - MIN_SIZE }, (_, at) => [String(at + MIN_SIZE), String(at + MIN_SIZE)] as const)

  function submit(event: Event): void {
    event.preventDefault()
    if (name === '') return
    onDone({
      ...tile,
      name,
      ...(measure !== null && { address: { ...tile.address, measure } }),
      dateField: dateField === NO_PERIOD ? null : dateField,
      w,
      h,
    })
  }

  return (
    <Dialog
      title={t('Settings of the tile')}
      onClose={() => onDone(null)}
      footer={
        <>
          <Button label={t('Cancel')} onClick={() => onDone(null)} />
          <Button label={t('Apply')} kind="primary" type="submit" form={form} disabled={name === ''} />
        </>
      }
    >
      <form id={form} class="fields" onSubmit={submit}>
        <TextField label={t('Title')} maxLength={100} value={title} onInput={setTitle} />
        {isMeasured && (
          <ChoiceField
            label={t('Measure')}
            value={measure ?? tile.address['measure'] ?? ownMeasure(tile, workspace)}
            choices={measures.map(({ key, label }) => [key, label])}
            onChange={setMeasure}
          />
        )}
        <ChoiceField
          label={t('Period of the dashboard')}
          value={dateField}
          choices={[[NO_PERIOD, t('Does not matter')], ...dates.map(({ name, label }) => [name, label] as const)]}
          onChange={setDateField}
        />
        <div class="dt-two">
          <ChoiceField
            label={t('Width in columns')}
            value={String(w)}
            choices={sizes(COLUMNS)}
            onChange={(value) => setWidth(Number(value))}
          />
          <ChoiceField
            label={t('Height in rows')}
            value={String(h)}
            choices={sizes(MAX_HEIGHT)}
            onChange={(value) => setHeight(Number(value))}
          />
        </div>
      </form>
    </Dialog>
  )
}

/** The default measure: a figure counts, a view has its own measure. */
function ownMeasure({ viewType }: TileRecord, workspace: WireWorkspace): string {
  if (viewType === FIGURE) return COUNT
  const [named] = archItems(workspace, 'measure')
  return workspace.arch.root.attrs['measure'] ?? named?.split(':')[0] ?? COUNT
}

import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { ArchNode } from '../../../../../kernel/view/arch/arch.ts'
import { deferred } from '../../core/deferred.tsx'
import { holds } from '../../core/expression.ts'
import { t, tn } from '../../core/i18n.ts'
import type { FieldProps } from '../../core/registries.ts'
import { openRecord } from '../../router/open-record.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { MenuButton } from '../../ui/menu.tsx'
import { showError } from '../../ui/toasts.tsx'
import { TagsDisplay } from '../display/link.tsx'
import { TagsInput } from '../edit/tags.tsx'
import { labelOf } from '../value/control.ts'
import { AddLink } from './add-link.tsx'
import { cellText, withoutEchoes } from './cell-text.ts'
import { useColumnPreferences } from './column-preferences.ts'
import { tracksOf } from './column-widths.ts'
import { cardParts, type LinesArch, readLines, shownColumns } from './columns.ts'
import { useEntries } from './entries.ts'
import { type LineSort, LinesHead, LinesTotals } from './head.tsx'
import { recordOfLine, scopeOfLine } from './line-values.ts'
import { createLinesModel, type LinesModel } from './model.ts'
import { LineRow } from './row.tsx'
import { type LineKind, lineKindOf, lineKindsOf } from './sections.ts'
import { useEditing } from './use-editing.ts'
// Imported eagerly, since cells are editable at once.
import '../edit/editors.ts'
import './lines.css'

const questions = deferred(() => import('../../views/shared/act/ask-before.tsx'))

/** Number of rows rendered at first, and added each time. */
const PAGE = 100

/** The records of a one2many or many2many as a list, edited in place if the view says so. */
export function LinesField(props: FieldProps) {
  const related = props.record.related?.(props.field.name)
  const arch = useMemo(() => (related ? readLines(props.node, related) : null), [props.node, related])
  // Without columns, or outside a form, the names are shown as tags.
  if (arch === null || arch.columns.length === 0 || props.record.lines === undefined) {
    return props.readonly ? <TagsDisplay {...props} /> : <TagsInput {...props} />
  }
  return <LinesList of={props} arch={arch} />
}

function LinesList({ of: props, arch }: { readonly of: FieldProps; readonly arch: LinesArch }) {
  const { record, field, id } = props
  const lines = record.lines?.(field.name)
  const rows = lines?.rows ?? []
  const names = useMemo(() => [...arch.fields.map(({ name }) => name), 'version'], [arch])
  const entries = useEntries(arch.model, rows, names, record.get('version'))
  const latest = useRef({ props, entries })
  latest.current = { props, entries }
  const model = useMemo(
    () =>
      createLinesModel({
        arch,
        props: () => latest.current.props,
        entryOf: (row) => latest.current.entries.entryOf(row),
      }),
    [arch],
  )
  useEffect(() => model.stop, [model])
  const [choices, choose] = useColumnPreferences(`${record.model}.${field.name}`)
  const [shownCount, setShownCount] = useState(PAGE)
  const [sort, setSort] = useState<LineSort>(null)
  // Lines that are read again are in their own order.
  useEffect(() => setSort(null), [record.id, record.get('version')])

  const blank = recordOfLine({ arch, field: field.name, parent: record, row: 0, entry: null, lines: model.lines })
  const isReadonly = props.readonly
  const isMany2many = field.type === 'many2many'
  const mayDrop = isMany2many || arch.mayDelete
  const optional = arch.columns.filter((column) => column.optional !== null)
  const recordOf = (row: number) =>
    recordOfLine({ arch, field: field.name, parent: record, row, entry: entries.entryOf(row), lines: model.lines })
  const isLocked = (row: number) => row > 0 && holds(arch.lock, scopeOfLine(arch, recordOf(row)))
  const edit = useEditing({ model, arch, isReadonly, isLocked })
  const shown = rows.slice(0, Math.max(shownCount, edit.row === null ? 0 : rows.indexOf(edit.row) + 1))
  const measured = shown.map(recordOf).filter((each) => lineKindOf(arch, each) === null)
  const allowed = shownColumns(arch, choices, scopeOfLine(arch, blank))
  const columns = edit.row === null ? withoutEchoes(allowed, measured) : allowed
  const parts = cardParts(columns)
  const tracks = tracksOf({
    columns,
    longest: (column) =>
      measured.length === 0 ? null : Math.max(...measured.map((each) => cellText(column, each, columns).length)),
    before: arch.handle === null ? null : 24,
    after: 32 + arch.buttons.length * 26,
  })

  return (
    <div class={classNames('lines', isReadonly && 'fixed')} id={id} aria-busy={entries.isLoading || undefined}>
      <div class="scroll-x" data-scroll={id}>
        <div
          ref={edit.grid}
          class="grid cards"
          role="grid"
          aria-label={labelOf(props)}
          aria-rowcount={rows.length + 1}
          aria-invalid={props.error !== null || undefined}
          style={{ '--cols': tracks.template, '--grid-min': `${tracks.least}px` }}
          onKeyDown={edit.press}
        >
          <LinesHead
            columns={columns}
            hasHandle={arch.handle !== null}
            sort={sort}
            onSort={({ field: by }) => {
              const isDown = sort?.[0] === by.name && !sort[1]
              setSort([by.name, isDown])
              model.sort(by, isDown)
            }}
          >
            {optional.length > 0 && (
              <MenuButton
                label={t('Columns')}
                icon="sliders-horizontal"
                iconOnly
                kind="ghost"
                size="sm"
                align="end"
                items={() =>
                  optional.map((column) => ({
                    label: column.label,
                    checked: columns.includes(column),
                    run: () => choose(column.field.name, !columns.includes(column)),
                  }))
                }
              />
            )}
          </LinesHead>
          <div role="rowgroup">
            {shown.map((row, index) => (
              <LineRow
                key={row}
                id={id}
                row={row}
                index={index}
                arch={arch}
                parent={record}
                model={model}
                entry={entries.entryOf(row)}
                recordOf={recordOf}
                columns={columns}
                parts={parts}
                isEditing={edit.row === row}
                focus={edit.row === row ? edit.focus : null}
                isChecked={props.error !== null}
                isReadonly={isReadonly}
                mayDrop={mayDrop && !isLocked(row)}
                tabIndex={edit.tabRow(rows) === row ? 0 : -1}
                onInvalid={(message) => props.onInvalid?.(message)}
                onEdit={edit.start}
                onDrop={edit.remove}
                onMove={(from, to) => to >= 0 && to < rows.length && model.move(from, to)}
                onButton={(each, button) => void runButton(arch, each, button, entries.refresh)}
              />
            ))}
          </div>
          <LinesTotals columns={columns} hasHandle={arch.handle !== null} lines={rows.map(recordOf)} record={record} />
        </div>
      </div>
      {shown.length < rows.length && (
        <Button
          label={tn(rows.length - shown.length, 'Show {n} more line', 'Show {n} more lines')}
          kind="ghost"
          onClick={() => setShownCount(shownCount + PAGE)}
        />
      )}
      {rows.length === 0 && <p class="t3 none">{isReadonly ? t('Nothing here.') : t('Nothing here yet.')}</p>}
      {!isReadonly && <AddBar of={props} arch={arch} model={model} onAdd={edit.add} />}
    </div>
  )
}

interface AddBarProps {
  readonly of: FieldProps
  readonly arch: LinesArch
  readonly model: LinesModel
  readonly onAdd: (kind?: LineKind) => void
}

const ADD_LABELS: Readonly<Record<LineKind, () => string>> = {
  section: () => t('Add section'),
  note: () => t('Add note'),
}

/** Adds lines: in place, by choosing records, or in their form. */
function AddBar({ of: props, arch, model, onAdd }: AddBarProps) {
  const { field, record } = props
  if (field.type === 'many2many') return <AddLink of={props} model={model} />
  if (!arch.mayCreate) return null
  if (arch.editable !== null) {
    return (
      <div class="addbar">
        <Button label={t('Add line')} icon="plus" kind="ghost" onClick={() => onAdd()} />
        {lineKindsOf(arch).map((kind) => (
          <Button key={kind} label={ADD_LABELS[kind]()} icon="plus" kind="ghost" onClick={() => onAdd(kind)} />
        ))}
      </div>
    )
  }
  const create = async () => {
    const saved = await openRecord({ model: arch.model, defaults: { [field.inverse ?? '']: record.id } })
    if (saved) model.link(saved[0])
  }
  return (
    <div class="addbar">
      <Button
        label={t('Add line')}
        icon="plus"
        kind="ghost"
        disabled={record.id === null}
        onClick={() => void create().catch(showError)}
      />
      {record.id === null && <span class="hint">{t('Save first, then lines can be added.')}</span>}
    </div>
  )
}

/** Runs an action of a saved line and reads the line again. */
async function runButton(
  arch: LinesArch,
  row: number,
  { attrs }: ArchNode,
  refresh: (rows: readonly number[]) => Promise<void>,
): Promise<void> {
  const { pressOnRecord } = await questions.load()
  await pressOnRecord(arch.model, row, attrs, () => refresh([row]))
}

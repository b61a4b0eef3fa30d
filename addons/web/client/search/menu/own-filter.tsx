import { useEffect, useId, useState } from 'preact/hooks'
import type { WireField, WireWorkspace } from '../../../../../kernel/view/wire.ts'
import { t } from '../../core/i18n.ts'
import { parseNumber } from '../../core/parse.ts'
import { services } from '../../services.ts'
import { searchNames } from '../../store/queries.ts'
import { Button } from '../../ui/button.tsx'
import { Combobox } from '../../ui/combobox.tsx'
import { Dialog, openDialog } from '../../ui/dialog.tsx'
import { Icon } from '../../ui/icon.tsx'
import { isSearchable, searchableFields } from '../query/field-catalogue.ts'
import {
  describeRules,
  isComplete,
  isLink,
  kindOf,
  operatorsOf,
  type Rule,
  type RuleValue,
  rulesDomain,
} from '../query/filter-rules.ts'
import type { OwnFilter } from '../query/search-state.ts'

/**
 * Opens the dialog for a custom filter over any field, including fields of linked records. Null if it was cancelled.
 */
export const editOwnFilter = (workspace: WireWorkspace): Promise<OwnFilter | null> =>
  openDialog<OwnFilter | null>((close) => <OwnFilterDialog workspace={workspace} onDone={close} />)

interface OwnFilterDialogProps {
  readonly workspace: WireWorkspace
  readonly onDone: (filter: OwnFilter | null) => void
}

interface Line {
  readonly key: number
  readonly rule: Rule
}

function OwnFilterDialog({ workspace, onDone }: OwnFilterDialogProps) {
  const known = workspace.arch.fields.filter(isSearchable)
  const [fields, setFields] = useState<readonly WireField[]>(known)
  const [isAny, setAny] = useState(false)
  const [lines, setLines] = useState<readonly Line[]>([])
  const form = useId()
  useEffect(() => {
    searchableFields(workspace.model).then(setFields, () => setFields(known))
  }, [])
  useEffect(() => {
    const [first] = fields
    if (first && lines.length === 0) setLines([{ key: 0, rule: startRule([first]) }])
  }, [fields])

  const rules = lines.map(({ rule }) => rule)
  const isReady = rules.length > 0 && rules.every(isComplete)
  const add = () => {
    const [first] = fields
    if (first) setLines([...lines, { key: Math.max(-1, ...lines.map(({ key }) => key)) + 1, rule: startRule([first]) }])
  }
  return (
    <Dialog
      title={t('Custom filter')}
      class="ownfilter"
      onClose={() => onDone(null)}
      footer={
        <>
          <Button label={t('Cancel')} onClick={() => onDone(null)} />
          <Button label={t('Apply')} kind="primary" type="submit" form={form} disabled={!isReady} />
        </>
      }
    >
      <form
        id={form}
        class="rules"
        onSubmit={(event) => {
          event.preventDefault()
          if (isReady) onDone({ label: describeRules(rules, isAny), domain: rulesDomain(rules, isAny) })
        }}
      >
        <div class="hs">
          <span class="t2">{t('Records that match')}</span>
          <span class="seg" role="group" aria-label={t('Match')}>
            <button type="button" aria-pressed={!isAny} onClick={() => setAny(false)}>
              {t('all')}
            </button>
            <button type="button" aria-pressed={isAny} onClick={() => setAny(true)}>
              {t('any')}
            </button>
          </span>
          <span class="t2">{t('of these')}</span>
        </div>
        <ul>
          {lines.map(({ key, rule }, index) => (
            <RuleLine
              key={key}
              rule={rule}
              fields={fields}
              onChange={(next) => setLines(lines.with(index, { key, rule: next }))}
              onRemove={lines.length > 1 ? () => setLines(lines.toSpliced(index, 1)) : null}
            />
          ))}
        </ul>
        <Button label={t('Add a condition')} icon="plus" kind="ghost" size="sm" onClick={add} />
      </form>
    </Dialog>
  )
}

const startRule = (path: readonly WireField[]): Rule => {
  const field = path.at(-1)
  const operator = field ? operatorsOf(field)[0]?.name : undefined
  return { path, operator: operator ?? '=', value: field?.selection?.[0]?.[0] ?? null }
}

interface RuleLineProps {
  readonly rule: Rule
  readonly fields: readonly WireField[]
  readonly onChange: (rule: Rule) => void
  readonly onRemove: (() => void) | null
}

function RuleLine({ rule, fields, onChange, onRemove }: RuleLineProps) {
  const { path, operator, value } = rule
  const field = path.at(-1)
  if (!field) return null
  const kind = kindOf(field, operator) ?? 'none'
  return (
    <li class="rule">
      <PathPicker path={path} fields={fields} onChange={(next) => onChange(startRule(next))} />
      <span class="pick">
        <select
          class="select"
          aria-label={t('Condition')}
          value={operator}
          onChange={({ currentTarget }) => {
            const next = currentTarget.value
            onChange({ ...rule, operator: next, value: kindOf(field, next) === kind ? value : startRule(path).value })
          }}
        >
          {operatorsOf(field).map(({ name, label }) => (
            <option key={name} value={name}>
              {t(label)}
            </option>
          ))}
        </select>
        <Icon name="chevron-down" />
      </span>
      <ValueInput field={field} kind={kind} value={value} onChange={(next) => onChange({ ...rule, value: next })} />
      {onRemove && <Button label={t('Remove condition')} icon="x" iconOnly kind="ghost" onClick={onRemove} />}
    </li>
  )
}

interface PathPickerProps {
  readonly path: readonly WireField[]
  readonly fields: readonly WireField[]
  /** Number of relations in the path before this field. */
  readonly depth?: number
  readonly onChange: (path: readonly WireField[]) => void
}

const MAX_DEPTH = 3

/** Selects a field and, for a relation, optionally a field of the linked model. */
function PathPicker({ path: [first, ...rest], fields, depth = 0, onChange }: PathPickerProps) {
  const [further, setFurther] = useState<readonly WireField[]>([])
  const target = first?.relation
  useEffect(() => {
    if (target !== undefined) searchableFields(target).then(setFurther, () => setFurther([]))
  }, [target])
  if (!first) return null
  const offered = fields.some(({ name }) => name === first.name) ? fields : [first, ...fields]
  return (
    <>
      <FieldSelect
        label={t('Field')}
        fields={offered}
        chosen={first}
        onChoose={(field) => field && onChange([field])}
      />
      {isLink(first) &&
        further.length > 0 &&
        (rest.length > 0 ? (
          <PathPicker path={rest} fields={further} depth={depth + 1} onChange={(next) => onChange([first, ...next])} />
        ) : (
          depth < MAX_DEPTH && (
            <FieldSelect
              label={t('Field of {field}', { field: first.label })}
              fields={further}
              chosen={null}
              onChoose={(field) => field && onChange([first, field])}
            />
          )
        ))}
    </>
  )
}

interface FieldSelectProps {
  readonly label: string
  readonly fields: readonly WireField[]
  readonly chosen: WireField | null
  readonly onChoose: (field: WireField | undefined) => void
}

const FieldSelect = ({ label, fields, chosen, onChoose }: FieldSelectProps) => (
  <span class="pick">
    <select
      class="select"
      aria-label={label}
      value={chosen?.name ?? ''}
      onChange={({ currentTarget }) => onChoose(fields.find(({ name }) => name === currentTarget.value))}
    >
      {chosen === null && <option value="">{t('itself')}</option>}
      {fields.map((field) => (
        <option key={field.name} value={field.name}>
          {field.label}
        </option>
      ))}
    </select>
    <Icon name="chevron-down" />
  </span>
)

interface ValueInputProps {
  readonly field: WireField
  readonly kind: string
  readonly value: RuleValue
  readonly onChange: (value: RuleValue) => void
}

function ValueInput({ field, kind, value, onChange }: ValueInputProps) {
  const id = useId()
  const label = t('Value')
  if (kind === 'none') return null
  if (kind === 'choice') {
    return (
      <span class="pick">
        <select
          class="select"
          aria-label={label}
          value={String(value ?? '')}
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
        >
          {(field.selection ?? []).map(([key, each]) => (
            <option key={key} value={key}>
              {each}
            </option>
          ))}
        </select>
        <Icon name="chevron-down" />
      </span>
    )
  }
  if (kind === 'record') {
    return (
      <Combobox<{ id: number; name: string }>
        id={id}
        label={label}
        text={typeof value === 'object' && value !== null ? value.name : ''}
        placeholder={field.label}
        find={async (typed, signal) =>
          (await searchNames(services().rpc, field.relation ?? '', typed, [], { signal })).map(([each, name]) => ({
            value: { id: each, name },
            label: name,
          }))
        }
        onChoose={onChange}
        onClear={() => onChange(null)}
      />
    )
  }
  if (kind === 'date') {
    return (
      <input
        class="input"
        type="date"
        aria-label={label}
        value={typeof value === 'string' ? value : ''}
        onInput={({ currentTarget }) => onChange(currentTarget.value === '' ? null : currentTarget.value)}
      />
    )
  }
  if (kind === 'number') return <NumberInput label={label} onChange={onChange} />
  return (
    <input
      class="input"
      aria-label={label}
      value={typeof value === 'string' ? value : ''}
      onInput={({ currentTarget }) => onChange(currentTarget.value)}
    />
  )
}

/** Keeps the typed text in the input and reports the parsed number, or null while the text is not a number. */
function NumberInput({
  label,
  onChange,
}: {
  readonly label: string
  readonly onChange: (value: number | null) => void
}) {
  const [typed, setTyped] = useState('')
  const isWrong = typed !== '' && parseNumber(typed) === null
  return (
    <input
      class="input"
      inputMode="decimal"
      aria-label={label}
      aria-invalid={isWrong || undefined}
      value={typed}
      onInput={({ currentTarget }) => {
        setTyped(currentTarget.value)
        onChange(parseNumber(currentTarget.value))
      }}
    />
  )
}

import { useMemo } from 'preact/hooks'
import { formatInteger } from '../../core/format.ts'
import { t, tn } from '../../core/i18n.ts'
import { Icon, type IconProps } from '../../ui/icon.tsx'
import { ScrollBox } from '../../ui/scroll-box.tsx'
import {
  type Batch,
  type Entry,
  type FieldChoice,
  formatsOf,
  isRelational,
  mappingOf,
  type Policy,
  type SampledColumn,
} from './batch.ts'
import { SmallSelect } from './small-select.tsx'
import type { ImportState } from './state.ts'

const KINDS: Readonly<Record<SampledColumn['kind'], readonly [IconProps['name'], () => string]>> = {
  empty: ['minus', () => t('Empty')],
  number: ['hash', () => t('Number')],
  date: ['calendar', () => t('Date')],
  boolean: ['check', () => t('Yes or no')],
  email: ['at-sign', () => t('E-mail')],
  text: ['type', () => t('Text')],
}

/** The kind of a column, from its samples and its field. */
function kindOf(column: SampledColumn, type: string): readonly [IconProps['name'], () => string] {
  if (type === 'id') return ['key-round', () => t('External ID')]
  if (isRelational(type)) return ['link', () => t('Relation')]
  const isPhone = column.kind === 'text' && column.samples.every((text) => /^\+?[\d ()/.-]{6,}$/.test(text))
  return isPhone ? ['phone', () => t('Phone')] : KINDS[column.kind]
}

const POLICIES: Readonly<Record<Policy, () => string>> = {
  match: () => t('Must exist'),
  create: () => t('Create what is missing'),
  skip: () => t('Skip the row'),
  empty: () => t('Leave empty'),
}

/** Longer names of columns get more room before they are wrapped. */
const LONG_HEADER = 16

/** The columns of the file with samples, and the field that each goes to. */
export function MappingTable({ state, batch }: { readonly state: ImportState; readonly batch: Batch }) {
  const choices = batch.choices ?? []
  const bad = new Map<string, number>()
  for (const { column } of batch.problems ?? []) if (column !== null) bad.set(column, (bad.get(column) ?? 0) + 1)
  const given = useMemo(() => mappingOf(batch), [])
  return (
    <ScrollBox class="scroll-x" label={t('Column mapping')}>
      <table class="tbl maptbl">
        <thead>
          <tr>
            <th scope="col">{t('Column in file')}</th>
            <th scope="col">{t('Sample values')}</th>
            <th scope="col">{t('Detected')}</th>
            <th scope="col">{t('Goes to field')}</th>
            <th scope="col">{t('Check')}</th>
          </tr>
        </thead>
        <tbody>
          {(batch.columns ?? []).map((column) => (
            <MappingRow
              key={column.header}
              column={column}
              choices={choices}
              entry={state.mapping.value[column.header] ?? null}
              badRows={state.isStale.value ? 0 : (bad.get(column.header) ?? 0)}
              missing={state.isStale.value ? 0 : missingIn(state, batch, column.header)}
              isGiven={given[column.header]?.field === state.mapping.value[column.header]?.field}
              hasKeys={batch.import_mode === 'upsert'}
              isTaken={(path) => Object.values(state.mapping.value).some((entry) => entry?.field === path)}
              onMap={(entry) => state.map(column.header, entry)}
            />
          ))}
        </tbody>
      </table>
    </ScrollBox>
  )
}

/** Number of names in a column that still need a decision. */
const missingIn = ({ mapping }: ImportState, { preview }: Batch, header: string): number =>
  (preview?.values ?? []).filter(
    ({ column, value }) => column === header && mapping.value[column]?.values?.[value] === undefined,
  ).length

interface RowProps {
  readonly column: SampledColumn
  readonly choices: readonly FieldChoice[]
  readonly entry: Entry | null
  readonly badRows: number
  readonly hasKeys: boolean
  /** Number of different names in its cells that match no record or several. */
  readonly missing: number
  /** Whether it is mapped as guessed. */
  readonly isGiven: boolean
  /** Whether another column is mapped to the field. */
  isTaken(path: string | undefined): boolean
  onMap(entry: Entry | null): void
}

function MappingRow({ column, choices, entry, badRows, missing, hasKeys, isGiven, isTaken, onMap }: RowProps) {
  const choice = choices.find(({ path }) => path === entry?.field)
  const type = choice?.type ?? ''
  const similar =
    entry === null && !isTaken(column.similar) ? choices.find(({ path }) => path === column.similar) : undefined
  const [icon, kind] = kindOf(column, type)
  const { header } = column
  return (
    <tr class={entry === null ? 'omit' : badRows > 0 ? 'bad' : 'ok'}>
      <th scope="row" class={header.length > LONG_HEADER ? 'mono long' : 'mono'}>
        {header}
      </th>
      <td class="smp">
        <span class="cut t2">{column.samples.join(', ')}</span>
      </td>
      <td>
        <span class="badge">
          <Icon name={icon} />
          {kind()}
        </span>
      </td>
      <td class="fs">
        <SmallSelect
          label={t('Field for {column}', { column: header })}
          value={entry?.field ?? ''}
          options={[['', t('Do not import')], ...choices.map(({ path, label }) => [path, label] as const)]}
          isInvalid={badRows > 0}
          onPick={(field) => onMap(field === '' ? null : { field })}
        />
        <div class="how">
          {entry !== null && formatsOf(type).length > 0 && (
            <SmallSelect
              label={t('Format of {column}', { column: header })}
              value={entry.format ?? formatsOf(type)[0]!}
              options={formatsOf(type).map((format) => [format, format] as const)}
              onPick={(format) => onMap({ ...entry, format })}
            />
          )}
          {entry !== null && isRelational(type) && (
            <SmallSelect
              label={t('If {column} is not found', { column: header })}
              value={entry.policy ?? 'match'}
              options={Object.entries(POLICIES).map(([policy, text]) => [policy, text()] as const)}
              onPick={(policy) => onMap({ ...entry, policy: policy as Policy })}
            />
          )}
          {entry !== null && hasKeys && type !== 'id' && !entry.field.includes('/') && (
            <label class="opt">
              <input
                type="checkbox"
                class="check"
                checked={entry.key === true}
                aria-label={t('{column} identifies records', { column: header })}
                onChange={({ currentTarget }) => onMap({ ...entry, key: currentTarget.checked })}
              />
              {t('Key')}
            </label>
          )}
        </div>
      </td>
      <td class="chk">
        {similar === undefined ? (
          <Check {...{ column, entry, badRows, missing, isGiven }} label={choice?.label} />
        ) : (
          <button type="button" class="link cut" onClick={() => onMap({ field: similar.path })}>
            {t('Use {name}', { name: similar.label })}
          </button>
        )}
      </td>
    </tr>
  )
}

type CheckProps = Pick<RowProps, 'column' | 'entry' | 'badRows' | 'missing' | 'isGiven'> & {
  readonly label: string | undefined
}

/** Why the column is mapped to its field, or its problem. */
function Check({ column, entry, badRows, missing, isGiven, label }: CheckProps) {
  const [icon, tone, text] = ((): readonly [IconProps['name'], string, string] => {
    if (entry === null) return ['minus', 't3', t('Skipped')]
    if (missing > 0) return ['triangle-alert', 'warn', t('{n} not found', { n: formatInteger(missing) })]
    if (badRows > 0)
      return ['circle-alert', 'down', tn(badRows, '1 error', '{n} errors', { n: formatInteger(badRows) })]
    if (!isGiven) return ['check', 'up', t('Your choice')]
    if (column.isRemembered) return ['check', 'up', t('Saved mapping')]
    return ['check', 'up', normal(column.header) === normal(label ?? '') ? t('By label') : t('By name')]
  })()
  return (
    <span class={`hs ${tone}`}>
      <Icon name={icon} size="s" />
      <span class="cut">{text}</span>
    </span>
  )
}

const normal = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')

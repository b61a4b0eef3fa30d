import { useState } from 'preact/hooks'
import type { ValueToSettle } from '../../../../../kernel/exchange/import/write/value-to-settle.ts'
import { deferred, deferredComponent } from '../../core/deferred.tsx'
import { formatInteger } from '../../core/format.ts'
import { t } from '../../core/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { ScrollBox } from '../../ui/scroll-box.tsx'
import { type Batch, mappingOf, type Settled } from './batch.ts'
import type { PickedRecord } from './record-picker.tsx'
import { SmallSelect } from './small-select.tsx'
import type { ImportState } from './state.ts'

const RecordPicker = deferredComponent(
  deferred(() => import('./record-picker.tsx')),
  (loaded) => loaded.RecordPicker,
)

interface ValuesProps {
  readonly state: ImportState
  readonly batch: Batch
}

/** Names in the file that match no record or several, with a choice for each. */
export function ValuesTable({ state, batch }: ValuesProps) {
  const asked = mappingOf(batch)
  // Only of columns whose mapping has not changed since the file was checked.
  const values = (batch.preview?.values ?? []).filter(
    ({ column }) => asked[column] !== undefined && state.mapping.value[column]?.field === asked[column].field,
  )
  if (values.length === 0) return null
  const settledAs = ({ column, value }: ValueToSettle) => state.mapping.value[column]?.values?.[value] ?? null
  const suggested = values.filter((each) => each.suggested !== null && settledAs(each) === null)
  return (
    <section class="panel" aria-labelledby="values">
      <header>
        <h2 id="values">{t('Values to settle')}</h2>
        <span class="count">{formatInteger(values.filter((each) => settledAs(each) === null).length)}</span>
        {suggested.length > 0 && (
          <span class="end">
            <Button
              label={t('Accept suggestions')}
              icon="wand-sparkles"
              size="sm"
              disabled={state.running.value !== null}
              onClick={() => state.settle(suggested.map(({ column, value, suggested: as }) => ({ column, value, as })))}
            />
          </span>
        )}
      </header>
      <ScrollBox class="scroll-x" label={t('Values and what they mean')}>
        <table class="tbl maptbl vals">
          <thead>
            <tr>
              <th scope="col">{t('Column in file')}</th>
              <th scope="col">{t('Value in file')}</th>
              <th scope="col" class="num">
                {t('Rows')}
              </th>
              <th scope="col">{t('Use instead')}</th>
              <th scope="col">{t('Why')}</th>
            </tr>
          </thead>
          <tbody>
            {values.map((each) => (
              <ValueRow
                key={`${each.column}\n${each.value}`}
                of={each}
                settled={settledAs(each)}
                onSettle={(as) => state.settle([{ column: each.column, value: each.value, as }])}
              />
            ))}
          </tbody>
        </table>
      </ScrollBox>
    </section>
  )
}

interface RowProps {
  readonly of: ValueToSettle
  readonly settled: Settled | null
  onSettle(as: Settled | null): void
}

const OTHER = 'other'

function ValueRow({ of, settled, onSettle }: RowProps) {
  const [other, setOther] = useState<PickedRecord | null>(null)
  const [isSearching, setSearching] = useState(false)
  const choices = other === null ? of.choices : [...of.choices, [other.id, other.name] as const]
  const label = t('Use instead of {value}', { value: of.value })
  const pick = (value: string) => {
    setSearching(value === OTHER)
    if (value === OTHER) return
    onSettle(value === '' ? null : /^\d+$/.test(value) ? Number(value) : (value as Settled))
  }
  return (
    <tr class={settled === null ? 'bad' : 'ok'}>
      <th scope="row" class="mono">
        {of.column}
      </th>
      <td class="smp">
        <span class="cut">{of.value}</span>
      </td>
      <td class="num">{formatInteger(of.rows)}</td>
      <td class="fs">
        {isSearching ? (
          <RecordPicker
            model={of.model}
            label={label}
            onPick={(record) => {
              setOther(record)
              setSearching(false)
              onSettle(record.id)
            }}
          />
        ) : (
          <SmallSelect
            label={label}
            value={String(settled ?? '')}
            options={[
              ['', t('Not settled')],
              ...choices.map(([each, name]) => [String(each), name] as const),
              [OTHER, t('Another record…')],
              ...(of.isSeveral ? [] : [['create', t('Create it')] as const]),
              ['skip', t('Skip the row')],
              ['empty', t('Leave empty')],
            ]}
            isInvalid={settled === null}
            onPick={pick}
          />
        )}
      </td>
      <td class="t2">
        {of.isSeveral
          ? t('Several records have this name')
          : of.isArchived
            ? t('Only an archived record has this name')
            : of.suggested === null
              ? t('No record has this name')
              : t('Similar to {name}', { name: of.choices[0]![1] })}
      </td>
    </tr>
  )
}

import { useEffect, useId, useState } from 'preact/hooks'
import type { AccessExplanation } from '../../../../../../kernel/access/explain.ts'
import type { Operation } from '../../../../../../kernel/access/tables.ts'
import type { WireAccessMatrix, WireNamed } from '../../../../../../kernel/admin/wire-access.ts'
import { t } from '../../../core/i18n.ts'
import { services } from '../../../services.ts'
import { searchNames, searchRead } from '../../../store/queries.ts'
import { Combobox } from '../../../ui/combobox.tsx'
import { ErrorState } from '../../../ui/empty.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { useAsked } from '../use-asked.ts'
import type { AccessPlace } from './access-page.tsx'
import { ExplanationSteps } from './explanation-steps.tsx'
import { groupNames, heldGroups, OPERATIONS, operationLabel } from './groups.ts'
import { Pick } from './pick.tsx'

export interface ExplainPanelProps {
  readonly matrix: WireAccessMatrix
  readonly place: AccessPlace
  readonly userId: number
  readonly onGo: (place: AccessPlace) => void
}

const isOperation = (text: string | undefined): text is Operation => OPERATIONS.some((each) => each === text)

/** Explains why a user may or may not do something with one record, also for another role, without saving anything. */
export function ExplainPanel({ matrix, place, userId, onGo }: ExplainPanelProps) {
  const operation: Operation = isOperation(place.op) ? place.op : 'read'
  const model = place.model ?? ''
  const id = Number(place.id ?? 0)
  const names = groupNames(matrix)
  // While a role is shown, the matrix does not know those of the user.
  const held = place.group === undefined ? heldGroups(matrix) : new Set<number>()
  const query = new URLSearchParams({
    user: String(userId),
    model,
    id: String(id),
    operation,
    ...(place.field !== undefined && operation !== 'unlink' && { field: place.field }),
    ...(place.if !== undefined && { group: place.if }),
  })
  const asked = useAsked<AccessExplanation>(model !== '' && id > 0 ? `/api/explain?${query}` : null)
  const fields = useAsked<readonly WireNamed[]>(model === '' ? null : `/web/settings/access/fields?model=${model}`)
  const record = useRecordName(model, id)
  const person = matrix.people.find((each) => each.id === userId)?.name ?? ''
  const shown = place.if === undefined ? asked.value : (asked.value?.whatIf ?? null)
  return (
    <section class="panel xp" aria-label={t('Explain access')}>
      <header>
        <h2>{t('Explain access')}</h2>
      </header>
      <div class="body">
        <div class="ask" role="group" aria-label={t('Question')}>
          <span class="t2">{t('May')}</span>
          <Pick
            label={t('Person')}
            value={String(userId)}
            options={matrix.people.map((each) => [String(each.id), each.name])}
            onChoose={(user) => onGo({ user, group: undefined })}
          />
          <Pick
            label={t('Right')}
            value={operation}
            options={OPERATIONS.filter((each) => each !== 'create').map((each) => [each, operationLabel(each)])}
            onChoose={(op) => onGo({ op })}
          />
          <Pick
            label={t('Model')}
            value={model}
            options={[['', t('Model')], ...matrix.rows.map((row) => [row.model, row.label] as const)]}
            onChoose={(next) => onGo({ model: next, id: undefined, field: undefined })}
          />
          {model !== '' && (
            <RecordPick key={model} model={model} id={id} name={record} onChoose={(next) => onGo({ id: next })} />
          )}
          {id > 0 && operation !== 'unlink' && (
            <Pick
              label={t('Field')}
              value={place.field ?? ''}
              options={[['', t('any field')], ...(fields.value ?? []).map(({ name, label }) => [name, label] as const)]}
              onChoose={(field) => onGo({ field: field === '' ? undefined : field })}
            />
          )}
        </div>
        {model === '' || id === 0 ? (
          <p class="hint">{t('Choose a model and a record, and you read why the answer is yes or no.')}</p>
        ) : asked.error !== null ? (
          <ErrorState error={asked.error} onRetry={asked.reload} />
        ) : shown === null ? (
          <p class="hint">{t('Loading')}</p>
        ) : (
          <ExplanationSteps
            verdict={shown}
            person={person}
            subject={
              shown.field === null
                ? record
                : t('{field} of {record}', {
                    field: fields.value?.find(({ name }) => name === shown.field?.name)?.label ?? shown.field.name,
                    record,
                  })
            }
            operation={operation}
            names={names}
            isWhatIf={place.if !== undefined}
          />
        )}
        {id > 0 && (
          <div class="whatif">
            <Icon name="shield" />
            <span>{t('If {name} were in', { name: person })}</span>
            <Pick
              label={t('Role to try')}
              value={place.if ?? ''}
              options={[
                ['', t('no other role')],
                ...[...names]
                  .map(([group, name]) => [String(group), name] as const)
                  .filter(([group]) => group === place.if || !held.has(Number(group))),
              ]}
              onChoose={(group) => onGo({ if: group === '' ? undefined : group })}
            />
            <span class="t3 fs12 end wide">{t('nothing is saved')}</span>
          </div>
        )}
      </div>
    </section>
  )
}

/** The name of the record, if the administrator may read it; its number until it is known. */
function useRecordName(model: string, id: number): string {
  const [name, setName] = useState<string | null>(null)
  useEffect(() => {
    setName(null)
    if (model === '' || id === 0) return
    let isGone = false
    searchRead(services().rpc, model, [['id', '=', id]], ['display_name'], { archived: 'include' }).then(
      ([found]) => isGone || setName((found?.['display_name'] as string | undefined) || null),
      // The number stays, and the explanation itself reports the error.
      () => undefined,
    )
    return () => {
      isGone = true
    }
  }, [model, id])
  return name ?? `#${id}`
}

interface RecordPickProps {
  readonly model: string
  readonly id: number
  readonly name: string
  readonly onChoose: (id: string) => void
}

/** Finds records by a typed text, with the rights of the administrator. */
const RecordPick = ({ model, id, name, onChoose }: RecordPickProps) => (
  <Combobox
    id={useId()}
    class="recq"
    label={t('Record')}
    placeholder={t('Search records')}
    text={id === 0 ? '' : name}
    find={async (typed, signal) => {
      const rows = await searchNames(services().rpc, model, typed, [], { limit: 20, signal })
      return rows.map(([row, text]) => ({ value: row, label: text || `#${row}` }))
    }}
    onChoose={(row) => onChoose(String(row))}
  />
)

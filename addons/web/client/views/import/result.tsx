import { formatInteger } from '../../core/format.ts'
import { t, tn } from '../../core/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { confirm } from '../../ui/dialog.tsx'
import { Empty } from '../../ui/empty.tsx'
import type { Batch } from './batch.ts'
import type { ImportState } from './state.ts'

/** The result of a finished, cancelled or undone import. */
export function Result({ state, batch }: { readonly state: ImportState; readonly batch: Batch }) {
  const list = batch.next ?? `/web?model=${encodeURIComponent(batch.model)}&view_type=list`
  if (batch.state === 'cancelled')
    return (
      <Empty
        icon="circle-x"
        title={t('This import was cancelled.')}
        text={t('Nothing was imported.')}
        actions={<Button label={t('Open the list')} href={list} />}
      />
    )
  if (batch.state === 'undone') return <Undone batch={batch} list={list} />
  const hasRejected = (batch.problems ?? []).length > 0
  const counts = t('{created} created, {updated} updated, {skipped} skipped.', {
    created: formatInteger(batch.created_count),
    updated: formatInteger(batch.updated_count),
    skipped: formatInteger(batch.skipped_count),
  })
  return (
    <div role="status" class="impdone">
      <Empty
        icon="circle-check"
        title={t('The import is done')}
        text={counts}
        actions={
          <>
            <Button label={t('Open the list')} kind="primary" href={list} />
            {hasRejected && (
              <Button
                label={t('Rows with errors')}
                icon="download"
                href={`/web/bulk/errors?id=${batch.id}`}
                isOutside
              />
            )}
            {batch.may_undo && (
              <Button
                label={t('Undo the import')}
                icon="undo-2"
                isBusy={state.running.value === 'undo'}
                disabled={state.running.value !== null}
                onClick={() => void askToUndo(state, batch)}
              />
            )}
          </>
        }
      />
    </div>
  )
}

/** Asks for confirmation, saying what will happen to the records. */
async function askToUndo(state: ImportState, { created_count, updated_count }: Batch): Promise<void> {
  const n = formatInteger(created_count)
  const created = tn(
    created_count,
    '1 record that it created is deleted.',
    '{n} records that it created are deleted.',
    { n },
  )
  const updated = tn(
    updated_count,
    '1 record that it changed is put back as it was.',
    '{n} records that it changed are put back as they were.',
    { n: formatInteger(updated_count) },
  )
  const isSure = await confirm({
    title: t('Undo the import?'),
    text: [
      ...(created_count > 0 ? [created] : []),
      ...(updated_count > 0 ? [updated] : []),
      t('Records that were changed since are kept.'),
    ].join(' '),
    action: t('Undo the import'),
    isDanger: true,
  })
  if (isSure) await state.undo()
}

function Undone({ batch, list }: { readonly batch: Batch; readonly list: string }) {
  const report = batch.undo_report
  return (
    <div role="status">
      <Empty
        icon="undo-2"
        title={t('The import was undone')}
        text={t('{removed} deleted, {restored} restored.', {
          removed: formatInteger(report?.removed ?? 0),
          restored: formatInteger(report?.restored ?? 0),
        })}
        actions={<Button label={t('Open the list')} href={list} />}
      />
      {report !== null && report.keptCount > 0 && (
        <section class="panel kept" aria-labelledby="kept">
          <header>
            <h2 id="kept">{tn(report.keptCount, '1 record was kept', '{n} records were kept')}</h2>
          </header>
          <ul class="drows">
            {report.kept.map(({ model, id, name, reason }) => (
              <li key={`${model}/${id}`} class="drow two">
                <a href={`/web?model=${encodeURIComponent(model)}&view_type=form&id=${id}`}>{name}</a>
                <span class="t2">{reason}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  )
}

import { signal } from '@preact/signals'
import type { WireDomain } from '../../../../../../kernel/view/wire.ts'
import { formatInteger } from '../../../core/format.ts'
import { t } from '../../../core/i18n.ts'
import { services } from '../../../services.ts'
import { searchRead } from '../../../store/queries.ts'
import { showError, showToast } from '../../../ui/toasts.tsx'
import { countText } from '../model/layout.ts'
import type { ListModel } from '../model/model.ts'

/** Ids per request: the maximum number of rows the server returns, and no more than it accepts. */
const BATCH_SIZE = 500
/** Above this number of records an operation asks first and shows its progress. */
const LARGE = 80

/** Ids to process, in batches. */
export interface Batches {
  readonly parts: AsyncIterable<readonly number[]> | Iterable<readonly number[]>
  /** Lower bound of the number of records. */
  readonly count: number
  readonly figure: string
  readonly isLarge: boolean
}

/** Loads the ids of all matching records, batch by batch. */
export async function* findBatches(model: string, domain: WireDomain): AsyncGenerator<readonly number[]> {
  const { rpc } = services()
  let after: WireDomain = []
  for (;;) {
    const rows = await searchRead(rpc, model, [...domain, ...after], ['id'], { order: 'id', limit: BATCH_SIZE })
    const last = rows.at(-1)
    if (last) yield rows.map(({ id }) => id)
    if (rows.length < BATCH_SIZE) return
    after = [['id', '>', last?.id]]
  }
}

export const batchesOf = (ids: readonly number[], size = BATCH_SIZE): Batches => ({
  parts: Array.from({ length: Math.ceil(ids.length / size) }, (_, at) => ids.slice(at * size, (at + 1) * size)),
  count: ids.length,
  figure: formatInteger(ids.length),
  isLarge: ids.length > LARGE,
})

export const selectedBatches = ({ selection, arch, domain, list }: ListModel): Batches =>
  selection.isAll.peek()
    ? {
        parts: findBatches(arch.model, domain.peek()),
        count: list.total.peek(),
        figure: countText(list),
        isLarge: true,
      }
    : batchesOf([...selection.ids.peek()])

export interface Work {
  /** Progress text, such as “12,000 of 99,907 archived”. */
  readonly say: (done: string, total: string) => string
  /** Answers the ids that were processed, where these need not be all. */
  readonly run: (ids: readonly number[]) => Promise<unknown>
}

export interface Outcome {
  readonly ids: readonly number[]
  /** False if it was stopped or failed; `ids` were processed all the same. */
  readonly isWhole: boolean
}

/**
 * Processes all records in batches. A large number shows a toast with the progress and a Stop button. The list is
 * reloaded only at the end, since reloading after every batch would double the work.
 */
export async function runInBatches(
  model: ListModel,
  { parts, figure, isLarge }: Batches,
  work: Work,
): Promise<Outcome> {
  const text = signal(work.say('0', figure))
  const ids: number[] = []
  let tried = 0
  const abort = new AbortController()
  const stop = { label: t('Stop'), run: () => abort.abort() }
  const close = isLarge ? showToast({ level: 'info', text, lasts: 0, action: stop }) : () => undefined
  // The user can leave the view, but closing the page asks first.
  const removeGuard = services().router.guards.add(
    () => true,
    () => isLarge,
  )
  model.isWorking.value = true
  try {
    for await (const part of parts) {
      if (abort.signal.aborted) break
      const done = await work.run(part)
      ids.push(...(Array.isArray(done) ? done : part))
      tried += part.length
      text.value = work.say(formatInteger(tried), figure)
    }
  } catch (error) {
    abort.abort()
    showError(error)
  } finally {
    close()
    removeGuard()
    model.isWorking.value = false
  }
  await model.refresh()
  return { ids, isWhole: !abort.signal.aborted }
}

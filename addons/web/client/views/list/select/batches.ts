import { computed, signal } from '@preact/signals'
import type { WireDomain } from '../../../../../../kernel/view/wire.ts'
import { formatInteger } from '../../../core/format.ts'
import { t } from '../../../core/i18n.ts'
import { services } from '../../../services.ts'
import { searchRead } from '../../../store/queries.ts'
import { showError, showToast } from '../../../ui/toasts.tsx'
import { BATCH_SIZE, partsOf } from '../../shared/act/parts-of.ts'
import { countText } from '../model/layout.ts'
import type { ListModel } from '../model/model.ts'

/** Above this number of records an operation asks first and shows its progress. */
const LARGE = 80

/** Repeats a call while the server is away or busy; Stop ends the waiting, not a call that was sent. */
export type Patiently = <T>(send: () => Promise<T>) => Promise<T>

/** Ids to process, in batches. */
export interface Batches {
  /** Null if they are found by the search, in batches. */
  readonly ids: readonly number[] | null
  readonly size?: number
  readonly parts: (patiently: Patiently) => AsyncIterable<readonly number[]> | Iterable<readonly number[]>
  /** Lower bound of the number of records. */
  readonly count: number
  readonly figure: string
  readonly isLarge: boolean
}

/** Loads the ids of all matching records, batch by batch. */
export async function* findBatches(
  model: string,
  domain: WireDomain,
  patiently: Patiently = (send) => send(),
): AsyncGenerator<readonly number[]> {
  const { rpc } = services()
  let after: WireDomain = []
  for (;;) {
    const wanted = [...domain, ...after]
    const rows = await patiently(() => searchRead(rpc, model, wanted, ['id'], { order: 'id', limit: BATCH_SIZE }))
    const last = rows.at(-1)
    if (last) yield rows.map(({ id }) => id)
    if (rows.length < BATCH_SIZE) return
    after = [['id', '>', last?.id]]
  }
}

export const batchesOf = (ids: readonly number[], size?: number): Batches => ({
  ids,
  ...(size !== undefined && { size }),
  parts: () => partsOf(ids, size),
  count: ids.length,
  figure: formatInteger(ids.length),
  isLarge: ids.length > LARGE,
})

export function selectedBatches({ selection, arch, domain, list }: ListModel): Batches {
  if (!selection.isAll.peek()) return batchesOf([...selection.ids.peek()])
  // The domain is read now, since the user may change the search before all batches are done or retried.
  const wanted = domain.peek()
  return {
    ids: null,
    parts: (patiently) => findBatches(arch.model, wanted, patiently),
    count: list.total.peek(),
    figure: countText(list),
    isLarge: true,
  }
}

/** The remaining batches after some ids were processed; a search no longer finds those, or processes them again. */
const restOf = (batches: Batches, processed: readonly number[]): Batches => {
  const isDone = new Set(processed)
  return batches.ids === null
    ? batches
    : batchesOf(
        batches.ids.filter((id) => !isDone.has(id)),
        batches.size,
      )
}

export interface Work {
  /** Progress text, such as “12,000 of 99,907 archived”. */
  readonly say: (done: string, total: string) => string
  /** Resolves to the processed ids, which need not be all. */
  readonly run: (ids: readonly number[], patiently: Patiently) => Promise<readonly number[]>
  /** Continues with the rest when the user retries after a failure. */
  readonly again: (rest: Batches) => unknown
}

export interface Outcome {
  readonly ids: readonly number[]
  /** False if it was stopped or failed; `ids` were processed nevertheless. */
  readonly isWhole: boolean
}

/**
 * Processes all records in batches. A large number shows a toast with the progress and a Stop button, and waits for a server that is
 * away. The list is reloaded only at the end, since reloading after every batch would double the work.
 */
export async function runInBatches(model: ListModel, batches: Batches, work: Work): Promise<Outcome> {
  const { parts, figure, isLarge } = batches
  const text = signal(work.say('0', figure))
  const ids: number[] = []
  let tried = 0
  const abort = new AbortController()
  const stop = { label: t('Stop'), run: () => abort.abort() }
  const { online, retry } = services().session
  const more = computed(() => (online.value ? '' : t('Waiting for the connection')))
  const close = isLarge ? showToast({ level: 'info', text, more, lasts: 0, action: stop }) : () => undefined
  const patiently: Patiently = (send) => (isLarge && retry?.(send, abort.signal)) || send()
  // The user can leave the view, but closing the page asks first.
  const removeGuard = services().router.guards.add(
    () => true,
    () => isLarge,
  )
  model.isWorking.value = true
  try {
    for await (const part of parts(patiently)) {
      if (abort.signal.aborted) break
      ids.push(...(await work.run(part, patiently)))
      tried += part.length
      text.value = work.say(formatInteger(tried), figure)
    }
  } catch (error) {
    if (!abort.signal.aborted) showError(error, () => work.again(restOf(batches, ids)))
    abort.abort()
  } finally {
    close()
    removeGuard()
    model.isWorking.value = false
  }
  await model.refresh()
  return { ids, isWhole: !abort.signal.aborted }
}

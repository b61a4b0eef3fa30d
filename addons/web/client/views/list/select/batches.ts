import { signal } from '@preact/signals'
import type { WireDomain } from '../../../../../../kernel/view/wire.ts'
import { formatInteger } from '../../../core/format.ts'
import { t } from '../../../core/i18n.ts'
import { services } from '../../../services.ts'
import { searchRead } from '../../../store/queries.ts'
import { showError, showToast } from '../../../ui/toasts.tsx'
import { countText } from '../model/layout.ts'
import type { ListModel } from '../model/model.ts'

/** The server answers with so many rows, and takes at least as many ids per call. */
const BATCH_SIZE = 500
/** More than one sees at once. */
const LARGE = 80

/** Ids to work through, in parts. */
export interface Batches {
  readonly parts: AsyncIterable<readonly number[]> | Iterable<readonly number[]>
  /** At least so many. */
  readonly count: number
  readonly figure: string
  readonly isLarge: boolean
}

/** Ids of everything that matches. */
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

export const batchesOf = (ids: readonly number[]): Batches => ({
  parts: Array.from({ length: Math.ceil(ids.length / BATCH_SIZE) }, (_, at) =>
    ids.slice(at * BATCH_SIZE, (at + 1) * BATCH_SIZE),
  ),
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
  /** “12,000 of 99,907 archived” */
  readonly say: (done: string, total: string) => string
  readonly run: (ids: readonly number[]) => Promise<unknown>
}

export interface Outcome {
  readonly ids: readonly number[]
  /** Somebody stopped it, or it failed; `ids` are done all the same. */
  readonly isWhole: boolean
}

/**
 * Does something with all records of a pile. A large one is counted in a toast that offers to stop, and the list stays as it is until
 * the end: to load it after every part would be as much work again.
 */
export async function runInBatches(
  model: ListModel,
  { parts, figure, isLarge }: Batches,
  work: Work,
): Promise<Outcome> {
  const text = signal(work.say('0', figure))
  const ids: number[] = []
  const abort = new AbortController()
  const stop = { label: t('Stop'), run: () => abort.abort() }
  const close = isLarge ? showToast({ level: 'info', text, lasts: 0, action: stop }) : () => undefined
  // The view may be left, the page not without a question.
  const removeGuard = services().router.guards.add(
    () => true,
    () => isLarge,
  )
  model.isWorking.value = true
  try {
    for await (const part of parts) {
      if (abort.signal.aborted) break
      await work.run(part)
      ids.push(...part)
      text.value = work.say(formatInteger(ids.length), figure)
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

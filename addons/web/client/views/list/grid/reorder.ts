import { services } from '../../../services.ts'
import { runOptimistic } from '../../../store/optimistic.ts'
import { moveId, renumber } from '../../../store/positions.ts'
import { writeRecords } from '../../../store/queries.ts'
import { type Values, valuesOf } from '../../../store/records.ts'
import { showError } from '../../../ui/toasts.tsx'
import type { ListModel } from '../model/model.ts'

/** Whether rows can be reordered: only if the list is ordered by the handle and not grouped. */
export const mayReorder = ({ arch, workspace, groups }: ListModel): boolean => {
  const { listSort } = workspace.peek()
  return arch.handle !== null && (listSort === '' || listSort === arch.handle) && groups.peek() === null
}

/**
 * The last move of each list. Moves are sent one after the other, so that positions are not overwritten by older ones.
 */
const lastMove = new WeakMap<ListModel, Promise<unknown>>()

/** Shows the new order at once and saves the changed positions. */
async function reorder(model: ListModel, id: number, to: number): Promise<void> {
  const { rpc } = services()
  const { arch, list } = model
  const { handle } = arch
  const ids = list.ids.value.peek()
  // Positions of rows that are not loaded are unknown, so only the rows before the first gap can be reordered.
  const loaded = ids.slice(0, firstGap(ids)).filter((each) => each !== undefined)
  if (handle === null || !loaded.includes(id)) return
  const positions = new Map(loaded.map((each) => [each, numberOf(valuesOf(model.entryOf(each)).peek(), handle)]))
  const order = moveId(loaded, id, to)
  const changed = renumber(order, positions)
  const entries = [...changed].map(([each, position]) => [model.entryOf(each), position] as const)
  const before = lastMove.get(model)
  const move = runOptimistic(
    [
      () => list.ids.push((known) => [...order, ...known.slice(order.length)]),
      () => {
        const undo = entries.map(([entry, position]) =>
          entry.values.push((known) => ({ ...known, [handle]: position })),
        )
        return () => {
          for (const take of undo) take()
        }
      },
    ],
    async () => {
      await before
      for (const [each, position] of changed) await writeRecords(rpc, arch.model, [each], { [handle]: position })
    },
    () => list.refresh(),
  )
  lastMove.set(
    model,
    move.catch((error: unknown) => showError(error, () => void reorder(model, id, to))),
  )
  await lastMove.get(model)
}

function firstGap(ids: readonly (number | undefined)[]): number {
  for (let at = 0; at < ids.length; at++) if (ids[at] === undefined) return at
  return ids.length
}

const numberOf = (values: Values, name: string): number => (typeof values[name] === 'number' ? values[name] : 0)

/** Moves a row up or down by one position, for the keyboard. */
export function moveRow(model: ListModel, id: number, step: 1 | -1, then: (line: number) => void): boolean {
  if (!mayReorder(model)) return false
  const at = model.list.ids.value.peek().indexOf(id)
  const to = at + step
  if (at < 0 || to < 0 || to >= model.list.total.peek()) return true
  void reorder(model, id, to)
  then(to)
  return true
}

/** Drags a row by its handle to a new position. Escape cancels. */
export function dragRow(
  model: ListModel,
  scroller: HTMLElement,
  event: PointerEvent,
  id: number,
  indexAtPx: (px: number) => number,
  lineOf: (id: number) => number | null,
): void {
  const row = event.target instanceof Element ? event.target.closest<HTMLElement>('.gr') : null
  const body = row?.parentElement
  if (!mayReorder(model) || event.button !== 0 || !row || !body) return
  event.preventDefault()
  const from = lineOf(id) ?? 0
  let to = from
  row.classList.add('dragged')
  const move = ({ clientY }: PointerEvent) => {
    const px = clientY - body.getBoundingClientRect().top
    to = indexAtPx(Math.max(0, px))
    row.style.transform = `translateY(${px - (from + 0.5) * row.offsetHeight}px)`
    const { top, bottom } = scroller.getBoundingClientRect()
    if (clientY < top + 60) scroller.scrollTop -= 12
    else if (clientY > bottom - 60) scroller.scrollTop += 12
  }
  const stop = () => {
    removeEventListener('pointermove', move)
    removeEventListener('pointerup', drop)
    removeEventListener('keydown', cancel, true)
    row.classList.remove('dragged')
    row.style.transform = ''
  }
  const drop = () => {
    stop()
    if (to !== from) void reorder(model, id, to)
  }
  const cancel = (press: KeyboardEvent) => {
    if (press.key !== 'Escape') return
    press.stopPropagation()
    stop()
  }
  addEventListener('pointermove', move)
  addEventListener('pointerup', drop)
  addEventListener('keydown', cancel, true)
}

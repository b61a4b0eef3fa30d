import { deferredComponent } from '../../../core/deferred.tsx'
import { ColumnSum } from '../card/amount.tsx'
import type { Board, BoardColumn } from '../model/board.ts'
import { cardMoves } from '../model/card-moves.ts'
import { addSums } from '../model/columns.ts'

const CurrencySums = deferredComponent(cardMoves, (loaded) => loaded.CurrencySums)

const sumsOf = (columns: readonly BoardColumn[]) => addSums(columns.map(({ stats }) => stats.value.value))

/** The sum of columns. Amounts in several currencies are not added up: there is one sum for each. */
export function Sums({ board, of }: { readonly board: Board; readonly of: readonly BoardColumn[] }) {
  const { sum: field } = board.arch
  if (!field || of.some(({ stats }) => stats.value.value.sums === null)) return null
  const [[code] = [''], ...others] = sumsOf(board.columns.value)
  const own = sumsOf(of)
  // An empty column has the currency of the others.
  const sums = own.length > 0 || others.length > 0 ? own : [[code, 0] as const]
  const draw = (value: number, currency: string | null) => <ColumnSum value={value} field={field} currency={currency} />
  const [first] = sums
  return (
    <span data-tip={field.label}>
      {sums.length > 1 ? <CurrencySums sums={sums} draw={draw} isNarrow /> : first && draw(first[1], first[0] || null)}
    </span>
  )
}

import type { Env } from '../../../env.ts'
import type { Model } from '../../../model/registry.ts'
import { LIGHT_SLICE, slicesOf } from '../../../slices.ts'
import { unguardFormula } from '../../cell/formula-guard.ts'
import type { Column } from '../column/column.ts'
import type { SheetRow } from '../file/sheet.ts'
import type { ImportRecord } from '../record/record.ts'

type Group = readonly SheetRow[]

/**
 * Knows which records of the file are not imported yet, by the texts that name them, and which records wait for those. So each record is
 * read again only when one that it names is done, however long the chain and whatever the order of the rows.
 */
export class WaitingRows {
  readonly #naming: ReadonlyMap<Column, Column>
  /** How many pending records have a text as their name, by the column with the names. */
  readonly #toCome = new Map<Column, Map<string, number>>()
  readonly #own = new Map<Column, ReadonlySet<string>>()
  readonly #waiting = new Map<Column, Map<string, Group[]>>()

  private constructor(naming: ReadonlyMap<Column, Column>) {
    this.#naming = naming
  }

  static async open(
    env: Env,
    model: Model,
    columns: readonly Column[],
    groups: readonly Group[],
  ): Promise<WaitingRows> {
    const pairs = columns.flatMap((column) => {
      const naming = namingColumn(model, columns, column)
      return naming ? [[column, naming] as const] : []
    })
    const room = new WaitingRows(new Map(pairs))
    for (const naming of new Set(room.#naming.values())) {
      const counts = new Map<string, number>()
      for await (const slice of slicesOf(env, groups, LIGHT_SLICE))
        for (const group of slice) {
          const name = nameIn(naming, group)
          if (name !== '') counts.set(name, (counts.get(name) ?? 0) + 1)
        }
      room.#toCome.set(naming, counts)
      room.#own.set(naming, new Set(counts.keys()))
      room.#waiting.set(naming, new Map())
    }
    return room
  }

  /** Whether a text of the column names a record that is not imported yet. */
  isToCome(column: Column, text: string): boolean {
    const naming = this.#naming.get(column)
    return naming !== undefined && this.#toCome.get(naming)!.has(text.trim())
  }

  /** Whether a text of the column names a record of the file, whether pending, imported or refused. */
  isOwn(column: Column, text: string): boolean {
    const naming = this.#naming.get(column)
    return naming !== undefined && this.#own.get(naming)!.has(text.trim())
  }

  /** Keeps a record until the one it names is done. */
  add({ rows, awaits }: Pick<ImportRecord, 'rows' | 'awaits'>): void {
    const waiting = this.#waiting.get(this.#naming.get(awaits!.column)!)!
    const name = awaits!.text.trim()
    const beside = waiting.get(name)
    if (beside) beside.push(rows)
    else waiting.set(name, [rows])
  }

  /** Takes out the records that wait for one of `done`, which are imported, refused or skipped. */
  async leave(env: Env, done: readonly Pick<ImportRecord, 'rows'>[]): Promise<readonly Group[]> {
    const woken: Group[] = []
    // Later rows can only come from here, so without waiting records the pending names are not needed any more.
    if ([...this.#waiting.values()].every(({ size }) => size === 0)) return woken
    for (const [naming, counts] of this.#toCome)
      for await (const slice of slicesOf(env, done, LIGHT_SLICE))
        for (const { rows } of slice) {
          const name = nameIn(naming, rows)
          const count = counts.get(name)
          if (count === undefined) continue
          if (count === 1) counts.delete(name)
          else counts.set(name, count - 1)
          const waiting = this.#waiting.get(naming)!
          for (const group of waiting.get(name) ?? []) woken.push(group)
          waiting.delete(name)
        }
    return woken
  }

  /** Takes out all waiting records, such as those that name each other in a circle; they still count as pending. */
  leaveAll(): readonly Group[] {
    const rest = [...this.#waiting.values()].flatMap((waiting) => [...waiting.values()].flat(1))
    for (const waiting of this.#waiting.values()) waiting.clear()
    return rest
  }
}

/** The column with the names, or external ids, that rows give their own records, if `column` names records of the same model by them. */
function namingColumn(model: Model, columns: readonly Column[], { field, form }: Column): Column | undefined {
  if (field?.relation?.target !== model.name || form === '.id') return undefined
  const [display, ...more] = model.displayFields
  return columns.find(
    (each) =>
      each.line === null &&
      (form === 'id' ? each.field === null && each.form === 'id' : each.field?.name === display && more.length === 0),
  )
}

const nameIn = ({ index }: Column, [row]: Group): string => unguardFormula(row!.cells[index] ?? '').trim()

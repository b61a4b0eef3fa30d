import { createZone, localDay } from '../../domain/zone.ts'
import type { Env } from '../../env.ts'
import { notFound } from '../../errors.ts'
import { drawFromCounter, dropCounter, holdCounter, peekCounters, setCounter } from '../../schema/counter.ts'
import { sql } from '../../sql/sql.ts'

/** How the numbers of a sequence look; `%(year)s`, `%(month)s` and `%(day)s` stand for today in the caller's zone. */
export interface SequenceFormat {
  readonly prefix: string | null
  readonly suffix: string | null
  readonly padding: number
}

/** fast: never waits, leaves gaps. gapless: the row stays locked until the transaction ends. */
export type SequenceKind = 'fast' | 'gapless'

export interface SequenceRow extends SequenceFormat {
  readonly id: number
  readonly kind: SequenceKind
  readonly increment: number
  readonly next_number: number
}

export async function nextNumber(env: Env, code: string): Promise<string> {
  const [number] = await nextNumbers(env, code, 1)
  return number!
}

/** The next numbers of the current company's sequence, or of the shared one. Needs no access rights. */
export async function nextNumbers(env: Env, code: string, count: number): Promise<string[]> {
  const sequence = await findSequence(env, code)
  const numbers = await DRAW[sequence.kind](env, sequence, count)
  return numbers.map(formatter(env, sequence))
}

async function findSequence(env: Env, code: string): Promise<SequenceRow> {
  const { rows } = await sql<SequenceRow>`
    select id, kind, prefix, suffix, padding, increment, next_number from sys_sequence
    where code = ${code} and active and (company_id is null or company_id = ${env.user.companyIds[0] ?? null})
    order by company_id, id limit 1`.execute(env.tx)
  if (!rows[0]) throw notFound('sequence_unknown', `There is no number sequence for ${code}.`)
  return rows[0]
}

type Draw = (env: Env, sequence: SequenceRow, count: number) => Promise<readonly number[]>

const DRAW: Readonly<Record<SequenceKind, Draw>> = {
  fast: (env, { id }, count) => drawFromCounter(env.tx, counterName(id), count),
  async gapless(env, { id, increment }, count) {
    const { rows } = await sql<{ end: number }>`
      update sys_sequence set next_number = next_number + ${count * increment}::integer where id = ${id}
      returning next_number as end`.execute(env.tx)
    const first = rows[0]!.end - count * increment
    return Array.from({ length: count }, (_, i) => first + i * increment)
  },
}

const TOKEN = /%\(([^)]*)\)s/g
const TOKENS: Readonly<Record<string, (day: string) => string>> = {
  year: (day) => day.slice(0, 4),
  month: (day) => day.slice(5, 7),
  day: (day) => day.slice(8, 10),
}

/** Tokens of a prefix or suffix that are not known. */
export const unknownTokens = (text: string | null): readonly string[] =>
  [...(text ?? '').matchAll(TOKEN)].map((match) => match[1]!).filter((name) => !Object.hasOwn(TOKENS, name))

export function formatter(env: Env, { prefix, suffix, padding }: SequenceFormat): (number: number) => string {
  const today = localDay(createZone(env.tz), env.now.getTime())
  const fill = (text: string | null) =>
    (text ?? '').replace(TOKEN, (token, name: string) => (Object.hasOwn(TOKENS, name) ? TOKENS[name]!(today) : token))
  const [before, after] = [fill(prefix), fill(suffix)]
  return (number) => before + String(number).padStart(padding, '0') + after
}

const counterName = (id: number): string => `sys_sequence_${id}_counter`

/** The next number of each sequence; another transaction may take it at any time. */
export async function previewNumbers(env: Env, rows: readonly SequenceRow[]): Promise<Map<number, string>> {
  const counters = await peekCounters(
    env.tx,
    rows.filter((row) => row.kind === 'fast').map((row) => counterName(row.id)),
  )
  return new Map(rows.map((row) => [row.id, formatter(env, row)(counters.get(counterName(row.id)) ?? row.next_number)]))
}

/**
 * Adapts the counter of a sequence to its row: a fast sequence has a PostgreSQL sequence, a gapless one counts in its row.
 * Numbering continues, also when the kind changes, unless `isRestart` starts it at `next_number`.
 */
export async function syncCounter(env: Env, row: SequenceRow, isRestart: boolean): Promise<void> {
  const name = counterName(row.id)
  await holdCounter(env.tx, name)
  const reached = (await peekCounters(env.tx, [name])).get(name)
  const next = isRestart ? row.next_number : (reached ?? row.next_number)
  if (row.kind === 'fast') return setCounter(env.tx, name, { next, increment: row.increment })
  await dropCounter(env.tx, name)
  await sql`update sys_sequence set next_number = ${next} where id = ${row.id}`.execute(env.tx)
}

export const forgetCounter = (env: Env, id: number): Promise<void> => dropCounter(env.tx, counterName(id))

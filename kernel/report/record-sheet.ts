import type { Block, DocumentContent, Fact } from '../document/content.ts'
import type { Env } from '../env.ts'
import { type ExportColumn, headingOf } from '../exchange/export/columns.ts'
import { displayNames } from '../orm/record/project.ts'
import { type CollectedRows, collectRows } from './collect-rows.ts'
import { frameOf, type ReportParams } from './list-report.ts'
import { valueWriter } from './value-text.ts'
import { writeRows } from './write-rows.ts'

/** Longer texts are cut: those of the record after some pages, those of a line after some rows. */
const MAX_CHARS = 10_000
const MAX_LINE_CHARS = 1_000

/** One record as a sheet: a fact for each field, and a table for the lines of each link to several records. */
export async function recordSheet(env: Env, params: ReportParams & { readonly id: number }): Promise<DocumentContent> {
  const writer = valueWriter(env)
  const collected = await collectRows(env, writer, params, { own: MAX_CHARS, line: MAX_LINE_CHARS })
  const { model } = collected.tree.root
  const names = await displayNames(env, model, [params.id])
  const name = names.get(params.id) ?? `${env.t(model.label)} ${params.id}`
  const lines = new Map<string, number[]>()
  const facts: Fact[] = []
  for (const [i, column] of collected.columns.entries()) {
    const link = linesOf(env, model.name, column)
    if (link === null) facts.push([headingOf(column, true), factText(collected, i)])
    else lines.set(link, [...(lines.get(link) ?? []), i])
  }
  return {
    ...(await frameOf(env, writer, { title: name, paper: params.page_size })),
    blocks: [
      { kind: 'title', text: name, subtitle: env.t(model.label) },
      { kind: 'fields', facts },
      ...(await Promise.all([...lines].map(([link, columns]) => lineTable(env, collected, link, columns)))),
    ],
  }
}

/** An amount alone needs its currency. */
function factText({ rows, text, currencyOf }: CollectedRows, column: number): string {
  const row = rows[0] ?? []
  const written = text(row, column)
  const code = written === '' ? null : currencyOf(row, column)
  return code === null ? written : `${written}\u00a0${code}`
}

/** The link to several records that a column leads over first; null if it belongs to the record itself. */
function linesOf(env: Env, model: string, { path }: ExportColumn): string | null {
  const [first = '', ...rest] = path.split(/[./]/)
  const relation = env.registry.model(model)?.fields.get(first)?.relation
  return rest.length > 0 && relation && relation.kind !== 'many2one' ? first : null
}

async function lineTable(
  env: Env,
  { tree, columns, rows, text }: CollectedRows,
  link: string,
  shown: readonly number[],
): Promise<Block> {
  const heading = env.t(tree.root.model.fields.get(link)!.label)
  const filled = rows.filter((row) => shown.some((i) => row[i] !== null && row[i] !== undefined))
  return {
    kind: 'table',
    heading,
    look: 'list',
    columns: shown.map((i) => ({
      label: columns[i]!.heading ?? columns[i]!.label.slice(heading.length + 1),
      align: ['integer', 'float', 'monetary'].includes(columns[i]!.field.type.name) ? 'end' : 'start',
    })),
    rows: await writeRows(env, filled, shown.length, (row) => shown.map((i) => text(row, i))),
    totals: [],
  }
}

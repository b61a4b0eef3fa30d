import { z } from 'zod'
import type { Env } from '../../env.ts'
import { badRequest } from '../../errors.ts'
import { parseJsonParam } from '../../http/json.ts'
import { LIMITS } from '../../limits.ts'
import type { Model } from '../../model/registry.ts'
import { menuText, requireShownModel, requireWindowAction } from '../../navigation/action.ts'
import { read } from '../../orm/record/read.ts'
import { allDomains } from '../../workspace/join-domains.ts'
import { actionDomain } from '../../workspace/opened-domain.ts'
import { type ExportColumn, type ExportTree, parseColumns } from './columns.ts'
import { type CurrencyOf, withCurrencies } from './currency-columns.ts'
import { type ExportQuery, exportRows } from './export-rows.ts'

const commaList = z
  .string()
  .max(LIMITS.urlBytes)
  .transform((text) =>
    text
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== ''),
  )

const recordId = z
  .string()
  .regex(/^\d{1,15}$/, 'Must be a whole number.')
  .transform(Number)

/** An empty parameter counts as missing. */
const optional = <S extends z.ZodType>(schema: S) =>
  z.preprocess((value) => (value === '' ? undefined : value), schema.optional())

const flag = optional(z.enum(['0', '1'], 'Must be 0 or 1.').transform((value) => value === '1'))

const fields = commaList.refine((names) => names.length > 0, 'Must name at least one field.')

/** Parameters of every export. Unknown ones are ignored. */
export const exportParams = z.object({
  model: z.string().max(100),
  fields,
  /** A window action, whose domain applies. */
  action: optional(recordId),
  /** One record, as a form shows it. */
  id: optional(recordId),
  /** The records that are selected in a list. */
  ids: optional(commaList.pipe(z.array(recordId).max(LIMITS.ids))),
  /** A domain as JSON, in addition. */
  domain: optional(z.string().max(LIMITS.urlBytes)),
  order: optional(z.string().max(LIMITS.orderChars)),
  archived: optional(z.enum(['exclude', 'include', 'only'])),
  limit: optional(recordId),
  /** Labels instead of names and keys. */
  labels: flag,
  /** CSV only. */
  bom: flag,
  /** Headings of the columns, as a JSON list in their order; an empty text keeps the usual heading. */
  headings: optional(z.string().max(LIMITS.urlBytes)),
  /** A last row with the sums. A PDF file has it unless told otherwise. */
  totals: flag,
  /** PDF only: the language of the caller in a region, such as `en-GB`; another language is ignored. */
  locale: optional(z.string().regex(/^[a-z]{2,3}-[A-Z]{2}$/, 'Must be a language and a region, such as en-GB.')),
  /** A name for this export, which its `export.progress` events carry. */
  ticket: optional(z.string().regex(/^[\w-]{8,64}$/, 'Must be 8 to 64 letters, digits, hyphens or underscores.')),
})

export type ExportParams = z.output<typeof exportParams>

/** Parameters of `GET /web/bulk/template`. */
export const templateParams = exportParams.pick({ model: true, fields: true, labels: true, bom: true })

/** An export that the caller may have: its columns, which records, and how to call the file. */
export interface PreparedExport {
  /** The requested columns; the tree may have more after them. */
  readonly columns: readonly ExportColumn[]
  readonly tree: ExportTree
  readonly currencyOf: CurrencyOf
  readonly query: ExportQuery
  /** Without an ending. */
  readonly name: string
}

/** Checks the parameters with the rights of the caller. `needsCurrencies`: the currencies of amounts are read too. */
export async function prepareExport(
  env: Env,
  params: ExportParams,
  needsCurrencies = params.totals === true,
): Promise<PreparedExport> {
  const model = requireShownModel(env, params.model)
  const asked = parseColumns(env, model, params.fields)
  const { tree, currencyOf } = needsCurrencies
    ? withCurrencies(env, model, asked)
    : { tree: asked, currencyOf: () => null }
  const table = { columns: withHeadings(asked.columns, params.headings), tree, currencyOf }
  const { order, archived, limit } = params
  const action = await findAction(env, model, params.action)
  const name = action === null ? env.t(model.label) : menuText(env, action, action.name)
  const ids = params.id === undefined ? params.ids : [params.id]
  if (ids !== undefined) {
    // As with `read`: an id that does not exist is NOT_FOUND, a hidden record ACCESS_DENIED.
    await read(env, model, ids, ['id'])
    return { ...table, name, query: { domain: [['id', 'in', ids]], order, archived: 'include', limit } }
  }
  const domain = allDomains([
    action === null ? [] : actionDomain(env, { action, model }),
    parseDomainParam(params.domain),
  ])
  return { ...table, name, query: { domain, order, archived, limit } }
}

const headingList = z.array(z.string().max(LIMITS.exportHeadingChars))

function withHeadings(columns: readonly ExportColumn[], text: string | undefined): readonly ExportColumn[] {
  if (text === undefined) return columns
  const list = headingList.safeParse(parseJsonParam('query.headings', text))
  if (!list.success || list.data.length !== columns.length)
    throw badRequest('input_invalid', 'query.headings: must be a list of short texts, one for each field.', {
      path: 'query.headings',
    })
  return columns.map((column, i) =>
    list.data[i]!.trim() === '' ? column : { ...column, heading: list.data[i]!.trim() },
  )
}

/** Refuses a domain or an order that PostgreSQL cannot run, by running the query with a limit of no rows. */
export async function checkQuery(env: Env, { tree, query }: PreparedExport): Promise<void> {
  await exportRows(env, tree, { ...query, limit: 0 }).next()
}

/** The window action that a file belongs to; it must show records of the model. */
export async function findAction(env: Env, model: Model, id: number | undefined, path = 'query.action') {
  if (id === undefined) return null
  const action = requireWindowAction(env, await env.views(), id)
  if (action.model !== model.name)
    throw badRequest('input_invalid', `${path}: this action shows no records of ${model.name}.`, { path })
  return action
}

function parseDomainParam(text: string | undefined): readonly unknown[] {
  const domain = text === undefined ? [] : parseJsonParam('query.domain', text)
  if (!Array.isArray(domain))
    throw badRequest('input_invalid', 'query.domain: must be a list of conditions.', { path: 'query.domain' })
  return domain
}

import { mayUseModel, mayWriteField } from '../../../access/acl.ts'
import type { Env } from '../../../env.ts'
import type { Model } from '../../../model/registry.ts'
import type { WindowAction } from '../../../view/tables.ts'
import { mappedColumns, placeOf } from '../column/column.ts'
import type { ImportSheet } from '../file/sheet.ts'
import { lookUp } from '../record/lookup.ts'
import { namesInCell } from '../record/record.ts'
import { Unfound } from '../record/unfound.ts'
import { headerLanguages, headerName } from './header-name.ts'
import { sampleTexts } from './samples.ts'

/** The column that holds the names of the records although its header does not say so. */
export interface NameColumn {
  readonly header: string
  /** The field that is the name. */
  readonly path: string
  /** Whether its header is the word for the records; otherwise it may be their name, and the user must accept it. */
  readonly isSure: boolean
}

/** Different texts of a column that are searched as names of records. */
const LOOKED_FOR = 100

/**
 * Finds a column such as `Company` in a file of companies, which is their name rather than a link: its header is the word for the records
 * of the list, or, if records need a name, it is mapped to a link and its texts name no record. `pathOf` is the mapping so far.
 */
export async function findNameColumn(
  env: Env,
  model: Model,
  sheet: ImportSheet,
  action: WindowAction | null,
  pathOf: (header: string) => string | undefined,
): Promise<NameColumn | null> {
  const [path, ...more] = model.displayFields
  const field = more.length > 0 || path === undefined ? undefined : model.fields.get(path)
  if (field === undefined || !mayWriteField(env, field) || typeof placeOf(env, model, field.name) === 'string')
    return null
  const known = sheet.headers.map(pathOf)
  // A file with ids needs no name.
  if (known.some((each) => each === field.name || each === 'id' || each === '.id')) return null
  const free = sheet.headers.filter((_, index) => known[index] === undefined || isLink(env, model, known[index]))
  const words = recordWords(env, model, action)
  const called = free.find((header) => words.has(headerName(header)))
  if (called !== undefined) return { header: called, path: field.name, isSure: true }
  if (!field.required) return null
  for (const header of free) {
    const link = pathOf(header)
    if (link !== undefined && !(await namesRecords(env, model, sheet, header, link)))
      return { header, path: field.name, isSure: false }
  }
  return null
}

const isLink = (env: Env, model: Model, path: string): boolean => {
  const field = model.fields.get(path)
  return field !== undefined && mayWriteField(env, field) && field.relation !== null
}

/** The singular and plural words for records, of the list and of the model. */
function recordWords(env: Env, model: Model, action: WindowAction | null): ReadonlySet<string> {
  const words = [model.label, action?.recordName, action?.recordNames].filter((word) => typeof word === 'string')
  const translated = headerLanguages(env.lang).flatMap((lang) => {
    const t = env.registry.translatorIn(lang)
    return words.map((word) => t(word))
  })
  return new Set([...words, ...translated].map(headerName))
}

/** Whether a text of the column is the name of a record it could link to; also true if there is no text to search for. */
async function namesRecords(
  env: Env,
  model: Model,
  sheet: ImportSheet,
  header: string,
  path: string,
): Promise<boolean> {
  const [column] = mappedColumns(env, model, sheet.headers, { [header]: path })
  const target = column?.field?.relation?.target
  if (target === undefined || !mayUseModel(env, target, 'read')) return true
  const all = sampleTexts(sheet, column!.index).flatMap((text) => namesInCell(column!, text))
  const texts = [...new Set(all)].slice(0, LOOKED_FOR)
  if (texts.length === 0) return true
  const no = () => false
  const found = await lookUp(env, column!, { texts, isToCome: no, isOwn: no }, new Map())
  return [...found.values()].some((each) => !(each instanceof Unfound && each.ids?.length === 0))
}

import type { WireField } from '../../../../kernel/view/wire.ts'
import { currentLocale } from '../core/format.ts'
import { t } from '../core/i18n.ts'
import { languageName } from '../fields/value/language-name.ts'
import { viewFields } from '../search/query/field-catalogue.ts'

/** A column of an export: a path of fields, and the labels along it. */
export interface ExportPath {
  readonly path: string
  readonly label: string
  readonly type: WireField['type']
  /** It leads over a link to several records, which have rows of their own. */
  readonly isLine?: true
  /** The path of the currency of an amount. */
  readonly currency?: string
}

/** A column with its heading in the file, if that is not its label. */
export interface ExportColumn extends ExportPath {
  readonly heading?: string
}

/** The heading of a column, as the server would write it. */
export const headOf = ({ heading, label }: ExportColumn): string => heading ?? label.replaceAll(' / ', '/')

/** The column with another heading; an empty one or the label removes it. */
export function withHeading({ heading: _old, ...column }: ExportColumn, heading: string): ExportColumn {
  const text = heading.trim()
  return text === '' || text === headOf(column) ? column : { ...column, heading: text }
}

/** Whether a total row has its sum. */
export const isSummed = ({ path, type }: ExportPath, summed: ReadonlySet<string>): boolean =>
  type === 'monetary' || (NUMERIC.has(type) && summed.has(path))

/** The external id of a record, as a field that every model has. */
export const EXTERNAL_ID = 'id/id'

/** Behind a link `id` alone would be its external id. */
const stepTo = (name: string): string => ({ id: '.id', [EXTERNAL_ID]: 'id' })[name] ?? name

export const pathOf = (field: WireField, parent: ExportPath | null): ExportPath => ({
  path: parent === null ? field.name : `${parent.path}/${stepTo(field.name)}`,
  label: parent === null ? field.label : `${parent.label} / ${field.label}`,
  type: field.type,
  ...(field.currencyField !== undefined && {
    currency: parent === null ? field.currencyField : `${parent.path}/${field.currencyField}`,
  }),
  ...(parent !== null && (parent.isLine || /2many$/.test(parent.type)) && { isLine: true as const }),
})

/** A translated text is followed by its values in each language, called as the server and an import call them. */
export const withTranslations = (fields: readonly WireField[]): readonly WireField[] =>
  fields.flatMap(({ languages = [], ...field }) => [
    field,
    ...languages.map((lang) => ({ ...field, name: `${field.name}@${lang}`, label: `${field.label} (${lang})` })),
  ])

/** Whether a typed text names a field: its label, its name, or the language it is in. */
export function isWanted({ name, label }: WireField, typed: string): boolean {
  const [, lang = ''] = name.split('@')
  return [label, name, languageName(lang)].some((text) => text.toLowerCase().includes(typed.toLowerCase()))
}

/** The fields of the model that can be exported, by label; the external id comes last. */
export const exportFields = async (model: string): Promise<readonly WireField[]> => [
  ...withTranslations(await viewFields(model)),
  { name: EXTERNAL_ID, type: 'char', label: t('External ID') },
]

const NUMERIC: ReadonlySet<string> = new Set(['integer', 'float', 'monetary'])

export const isNumeric = ({ type }: ExportPath): boolean => NUMERIC.has(type)

/** The language with its region, as a report is asked for; without one the server takes that of the user. */
export const reportLocale = (): string | null => {
  const { tag } = currentLocale()
  return /^[a-z]{2,3}-[A-Z]{2}$/.test(tag) ? tag : null
}

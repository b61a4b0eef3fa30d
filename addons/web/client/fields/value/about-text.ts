import type { WireField } from '../../../../../kernel/view/wire.ts'
import { findField } from '../../core/registries.ts'
import type { Row } from '../../net/rpc.ts'
import { plainRecord } from '../../store/plain-record.ts'

/** The fields to read of records that are shown with their name and describing fields. */
export const namesToRead = (about: readonly WireField[]): readonly string[] => [
  ...new Set(['display_name', ...about.flatMap(({ name, currencyField = [] }) => [name].concat(currencyField))]),
]

/** Texts of the fields that describe a record; '' for a field without a value. */
export const aboutTexts = (model: string, about: readonly WireField[], row: Row): readonly string[] =>
  about.map((field) => {
    const value = row[field.name]
    if (value === null || value === undefined || value === 0) return ''
    const { format } = findField('list', field.type)
    return format ? format(value, field, plainRecord({ model, id: row.id }, row)) : String(value)
  })

/** These texts in one line. */
export const aboutText = (model: string, about: readonly WireField[], row: Row): string =>
  aboutTexts(model, about, row)
    .filter((text) => text !== '')
    .join(', ')

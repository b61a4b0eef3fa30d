import type { Model } from '../../model/registry.ts'
import { databaseId } from './database-id.ts'

/** No module has such a name, so it never equals a stored external id. */
const OWN = '__export__.'

/** The external id of a record that has none in `sys.xmlid`. Nothing is stored: the name contains the table and the id. */
export const ownExternalId = ({ table }: Pick<Model, 'table'>, id: number): string => `${OWN}${table}_${id}`

/** The id in a name that `ownExternalId` made for this model; null for any other text. */
export function idOfOwnExternalId({ table }: Pick<Model, 'table'>, text: string): number | null {
  const start = `${OWN}${table}_`
  return text.startsWith(start) ? databaseId(text.slice(start.length)) : null
}

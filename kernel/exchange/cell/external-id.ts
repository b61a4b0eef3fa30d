import type { Model } from '../../model/registry.ts'

/** No module has such a name, so it never means one of the stored external ids. */
const OWN = '__export__.'

/** The external id of a record that has none in `sys.xmlid`. Nothing is stored: the name itself says which record it is. */
export const ownExternalId = ({ table }: Pick<Model, 'table'>, id: number): string => `${OWN}${table}_${id}`

/** The id in a name that `ownExternalId` made for this model; null for any other text. */
export function idOfOwnExternalId({ table }: Pick<Model, 'table'>, text: string): number | null {
  const start = `${OWN}${table}_`
  const digits = text.startsWith(start) ? text.slice(start.length) : ''
  const id = /^[1-9]\d{0,9}$/.test(digits) ? Number(digits) : 0
  return id > 0 && id <= 2_147_483_647 ? id : null
}

import { formatQuery } from '../../router/codec.ts'

/** The form of a record of any model, as a link one can open beside. */
export const recordHref = (model: string, id: number): string => `/web?${formatQuery({ model, view_type: 'form', id })}`

import type { WireWorkspace } from '../../../../kernel/view/wire.ts'

/** Whether the user has the right to create records and the view allows it. */
export const isNewOffered = ({ arch: { access, root } }: WireWorkspace): boolean =>
  access.create && root.attrs['create'] !== '0' && root.attrs['create'] !== 'false'

/** Address of the form of a new record. */
export function newHref({ formBaseQuery }: WireWorkspace): string {
  const query = new URLSearchParams(formBaseQuery)
  query.delete('id')
  return `/web?${query}`
}

/** Address of a record without the id at its end. */
export function recordPathOf({ formBaseQuery }: WireWorkspace): string {
  const query = new URLSearchParams(formBaseQuery)
  query.set('view_type', 'form')
  query.delete('id')
  return `/web?${query}&id=`
}

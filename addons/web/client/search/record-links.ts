import type { WireWorkspace } from '../../../../kernel/view/wire.ts'

/** Whether the user and the view allow new records. */
export const isNewOffered = ({ arch: { access, root } }: WireWorkspace): boolean =>
  access.create && root.attrs['create'] !== '0' && root.attrs['create'] !== 'false'

/** The form of a record that is not there yet. */
export function newHref({ formBaseQuery }: WireWorkspace): string {
  const query = new URLSearchParams(formBaseQuery)
  query.delete('id')
  return `/web?${query}`
}

/** The address of a record, up to its id. */
export function recordPathOf({ formBaseQuery }: WireWorkspace): string {
  const query = new URLSearchParams(formBaseQuery)
  query.set('view_type', 'form')
  query.delete('id')
  return `/web?${query}&id=`
}

import type { WireWorkspace } from '../../../../kernel/view/wire.ts'

/** The address of a record, up to its id. */
export function recordPathOf({ formBaseQuery }: WireWorkspace): string {
  const query = new URLSearchParams(formBaseQuery)
  query.set('view_type', 'form')
  query.delete('id')
  return `/web?${query}&id=`
}

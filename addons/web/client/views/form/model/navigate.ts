import type { WireWorkspace } from '../../../../../../kernel/view/wire.ts'
import { changeRoute, formatRoute, parseRoute } from '../../../router/codec.ts'
import { services } from '../../../services.ts'
import type { FormModel } from './model.ts'

/** Address of another record of the same action; null for a new record. */
export function formHref({ formBaseQuery }: WireWorkspace, id: number | null): string {
  const query = new URLSearchParams(formBaseQuery)
  if (id === null) query.delete('id')
  else query.set('id', String(id))
  return `/web?${query}`
}

/** Address of the list the record was opened from. */
export function listHref({ breadcrumbs, viewTabs }: WireWorkspace): string {
  const { trail } = services().router
  const before = trail.peek().at(-1)
  const many = viewTabs.find(({ mode }) => mode !== 'form')
  return before?.href ?? breadcrumbs.at(-2)?.href ?? many?.href ?? '/web/home'
}

/** Replaces the form of a new record by the form of the record it became, without a new history entry. */
export async function openSaved({ workspace }: FormModel, id: number): Promise<void> {
  const { router } = services()
  const base = parseRoute(formHref(workspace, id))
  const route = changeRoute({ ...base, state: router.route.peek().state }, {})
  await router.go(formatRoute(route), { replace: true, force: true })
}

/** Goes back in the history, or to the list if the form is the first page of this tab. */
export function goBack(workspace: WireWorkspace): void {
  // The router stores the position of each history entry in its state.
  const { index = 0 } = (history.state ?? {}) as { readonly index?: number }
  if (index > 0) history.back()
  else void services().router.go(listHref(workspace), { force: true })
}

import type { WireWorkspace } from '../../../../../../kernel/view/wire.ts'
import { changeRoute, formatRoute, parseRoute } from '../../../router/codec.ts'
import { services } from '../../../services.ts'
import type { FormModel } from './model.ts'

/** Address of another record of the same place; null is a new one. */
export function formHref({ formBaseQuery }: WireWorkspace, id: number | null): string {
  const query = new URLSearchParams(formBaseQuery)
  if (id === null) query.delete('id')
  else query.set('id', String(id))
  return `/web?${query}`
}

/** Address of the records this one is among. */
export function listHref({ breadcrumbs, viewTabs }: WireWorkspace): string {
  const { trail } = services().router
  const before = trail.peek().at(-1)
  const many = viewTabs.find(({ mode }) => mode !== 'form')
  return before?.href ?? breadcrumbs.at(-2)?.href ?? many?.href ?? '/web/home'
}

/** A record that was just created takes the place of the empty form. */
export async function openSaved({ workspace }: FormModel, id: number): Promise<void> {
  const { router } = services()
  const base = parseRoute(formHref(workspace, id))
  const route = changeRoute({ ...base, state: router.route.peek().state }, {})
  await router.go(formatRoute(route), { replace: true, force: true })
}

/** To where one was before; to the records of this place when the page was opened here. */
export function goBack(workspace: WireWorkspace): void {
  // The router numbers the entries it makes.
  const { index = 0 } = (history.state ?? {}) as { readonly index?: number }
  if (index > 0) history.back()
  else void services().router.go(listHref(workspace), { force: true })
}

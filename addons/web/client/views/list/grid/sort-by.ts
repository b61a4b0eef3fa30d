import { changeRoute, orderOf } from '../../../router/codec.ts'
import { askedRoute } from '../../../search/query/asked-route.ts'
import { services } from '../../../services.ts'
import { showError } from '../../../ui/toasts.tsx'
import type { ListModel } from '../model/model.ts'

/**
 * Cycles through ascending, descending and the default order of the view. Very many records cannot be sorted by every column: then the
 * service is asked before, and the list stays as it is if it refuses.
 */
export async function sortBy(model: ListModel, key: string): Promise<void> {
  const { arch, domain, route, workspace } = model
  const { rpc, router } = services()
  const { listSort, listTotalExact } = workspace.peek()
  const sort = listSort === key ? `-${key}` : listSort === `-${key}` ? undefined : key
  if (sort !== undefined && !listTotalExact) {
    try {
      await rpc.call(arch.model, 'search_read', [domain.peek(), ['id']], { limit: 1, order: orderOf(sort) })
    } catch (error) {
      showError(error, () => void sortBy(model, key))
      return
    }
  }
  await router.go(changeRoute(askedRoute(route.peek()), { sort, offset: undefined }))
}

import { behavior } from '#kernel'
import '../../addons/base/models/core-partner.ts'

behavior('core.partner', {
  actions: { action_star: 'write:{"ref":"star"}', action_ring: 'publish:partner.ring', action_code: () => true },
  on: { created: ['publish:partner.new'], updated: ['write:{"ref":"x"}'], deleted: ['publish:partner.gone'] },
})

behavior('core.partner', {
  // @ts-expect-error: an action is declared with publish: or write:
  actions: { action_star: 'delete:all' },
})

behavior('core.partner', {
  // @ts-expect-error: values are a JSON object
  on: { created: ['write:1'] },
})

behavior('core.partner', {
  // @ts-expect-error: a deleted record cannot be written
  on: { deleted: ['write:{"ref":"x"}'] },
})

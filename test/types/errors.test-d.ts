/** Which refusals compile, checked by `tsc` alone; see `models.test-d.ts`. */
import { accessDenied, conflict, invalid, notFound, type Reason, type ReasonOf, refusal, unavailable } from '#kernel'
import '../../addons/sale/addon.ts'

export const refusals = [
  notFound('model_unknown', 'There is no such model.'),
  conflict('sale.order_locked', 'S00007 is locked.'),
  invalid('check_failed', { date_end: 'A task ends after it starts.' }),
  refusal('CSRF', 'cross_site', 'The request comes from another site.'),
]

export const mistakes = [
  // @ts-expect-error without a reason
  accessDenied('You may not.'),
  // @ts-expect-error a reason without a sentence
  accessDenied('key_scope'),
  // @ts-expect-error a reason of another code
  notFound('value_taken', 'There is no such model.'),
  // @ts-expect-error no reason of any table
  unavailable('tired', 'Try again in a moment.'),
  // @ts-expect-error a reason that the addon does not declare
  conflict('sale.order_lost', 'S00007 is lost.'),
  // @ts-expect-error a reason that the addon declares for another code
  conflict('sale.order_state', 'S00007 is locked.'),
  // @ts-expect-error only fields
  invalid({ date_end: 'A task ends after it starts.' }),
]

export const reasons: readonly [ReasonOf<'CONFLICT'>, Reason] = ['sale.order_confirmed', 'sale.order_state']

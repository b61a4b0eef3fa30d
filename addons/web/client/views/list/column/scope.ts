import type { Scope } from '../../../core/expression.ts'
import { today } from '../../../core/format.ts'
import { services } from '../../../services.ts'
import type { Values } from '../../../store/records.ts'

/** The variables for the conditions of the arch. */
export const scopeOf = (values: Values, day: string = today()): Scope => ({
  values,
  uid: services().session.bootstrap.user.id,
  today: day,
})

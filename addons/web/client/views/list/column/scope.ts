import type { Scope } from '../../../core/expression.ts'
import { dayOf } from '../../../core/format.ts'
import { services } from '../../../services.ts'
import type { Values } from '../../../store/records.ts'

/** The day where the user is. */
export const today = (): string => dayOf(new Date().toISOString())

/** What conditions of the arch look at. */
export const scopeOf = (values: Values, day: string = today()): Scope => ({
  values,
  uid: services().session.bootstrap.user.id,
  today: day,
})

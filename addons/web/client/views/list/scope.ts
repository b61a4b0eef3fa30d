import { dayOf, type Scope, services, type Values } from '../../sdk.ts'

/** The day where the user is. */
export const today = (): string => dayOf(new Date().toISOString())

/** What conditions of the arch look at. */
export const scopeOf = (values: Values, day: string = today()): Scope => ({
  values,
  uid: services().session.bootstrap.user.id,
  today: day,
})

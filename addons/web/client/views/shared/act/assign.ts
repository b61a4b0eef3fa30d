import type { WireField } from '../../../../../../kernel/view/wire.ts'
import type { Act } from '../../../core/acts.ts'
import { deferred } from '../../../core/deferred.tsx'
import { t } from '../../../core/i18n.ts'
import { attempt } from '../../../ui/toasts.tsx'

export interface Assigned {
  readonly model: string
  /** Fields of the view; the first link to users that can be written says who is responsible. */
  readonly fields: readonly WireField[]
  ids(): Promise<readonly number[]>
  /** Called when records were written. */
  done(): Promise<unknown> | unknown
}

const records = deferred(() => import('./assign-records.ts'))

/** The act that makes somebody responsible for records, with Undo; none if the view shows no such field. */
export function assignAct(assigned: Assigned): readonly Act[] {
  const field = assigned.fields.find(
    ({ name, type, relation, readonly }) =>
      relation === 'core.user' &&
      !readonly &&
      (type === 'many2one' || type === 'many2many') &&
      name.startsWith('user_'),
  )
  if (!field) return []
  return [
    {
      name: 'assign',
      label: t('Assign to'),
      icon: 'user-plus',
      asks: {
        label: field.label,
        find: async (text, signal) => (await records.load()).findAssignees(assigned, field, text, signal),
      },
      async run(chosen) {
        if (!chosen) return
        await attempt(async () => (await records.load()).assign(assigned, field, chosen))
      },
    },
  ]
}
